import { Readability } from "@mozilla/readability";
import type { Span } from "@proofroom/contracts";
import { spansOfMarkdown } from "@proofroom/evidence";
import { authorNames } from "../attribution/author-names.ts";
import { normaliseCodeBlocks } from "./code-blocks.ts";
import { type HtmlDocument, type HtmlElement, parseHtml } from "./html-document.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";
import { type NotContent, notContent } from "./not-content.ts";
import { dateOf, type PageFacts, pageFacts } from "./page-facts.ts";
import { absoluteLinks, removeClutter, writeFormulas } from "./page-markup.ts";

export interface ReadablePage {
  /** Empty where neither the page nor its address gives one. */
  title: string;
  markdown: string;
  spans: Span[];
  /** What was left out of the text. */
  omissions: string[];
  facts: PageFacts;
}

export interface PageSource {
  html: string;
  /** Absolute; what relative links are resolved against. Null where it is not known: they stay as they are then. */
  url: string | null;
}

/** Stands for the address of a page that was saved without one; taken out again, it leaves relative links. */
const standIn = "https://saved-page.invalid/";

/** Text of a page that is kept, in characters. */
const mostText = 1_000_000;

/** What a child runs: extraction of hostile HTML can take minutes, and nothing but the child's end stops it. */
export function work(payload: unknown): { page: ReadablePage } | { problem: NotContent } {
  const source = payload as PageSource;
  const document = parseHtml(source.html);
  const stated = pageFacts(document, source.url);
  prepare(document, source);
  const heading = document.querySelector("h1")?.textContent ?? "";
  const article = new Readability(document as never, { keepClasses: true }).parse();
  const extracted = parseHtml(article?.content ?? "").body;
  const whole = mainPart(source);
  const content = hasLostContent(extracted, whole) ? whole : extracted;
  const title = titleOf(source, article?.title ?? "", heading);
  const problem = notContent({ title, text: content.textContent, html: source.html });
  if (problem !== null) return { problem };
  const lead = content.querySelector("h1, h2, h3");
  if (lead !== null && oneLine(lead.textContent) === title) lead.remove();
  const text = htmlToMarkdown(content.innerHTML).replaceAll(standIn, "");
  const { markdown, omissions } = shortened(withTitle(title, text));
  return {
    page: {
      title,
      markdown,
      spans: spansOfMarkdown(markdown),
      omissions,
      facts: { ...foundFacts(article?.byline, article?.publishedTime), ...stated },
    },
  };
}

function prepare(document: HtmlDocument, source: PageSource): void {
  removeClutter(document);
  writeFormulas(document);
  absoluteLinks(document, source.url ?? standIn);
  normaliseCodeBlocks(document);
}

const furniture =
  "script, style, noscript, nav, footer, aside, form, iframe, svg, button, [hidden], [aria-hidden=true]";

/** The page's declared main part, or all of it, without its furniture. */
function mainPart(source: PageSource): HtmlElement {
  const document = parseHtml(source.html);
  prepare(document, source);
  const root = document.querySelector("main article") ?? document.querySelector("main, [role=main], article");
  const part = root ?? document.body;
  for (const element of [...part.querySelectorAll(furniture)]) element.remove();
  return part;
}

/**
 * The extractor looks for paragraphs: of short pages it finds too little, and of reference pages it drops the
 * code, tables and definitions. Both show in comparison with the main part.
 */
function hasLostContent(extracted: HtmlElement, whole: HtmlElement): boolean {
  const [found, all] = [textLength(extracted), textLength(whole)];
  if (found < (whole.nodeName === "BODY" ? 200 : 500)) return all > found;
  const [blocksFound, blocks] = [reference(extracted), reference(whole)];
  return blocks >= 4 && blocksFound < blocks / 2 && found < all / 3;
}

function reference(element: HtmlElement): number {
  return [...element.querySelectorAll("pre, th, dt")].length;
}

/** The page's heading where the document's title holds it (with the name of the site around it). */
function titleOf(source: PageSource, readable: string, heading: string): string {
  const title = oneLine(readable);
  const name = oneLine(heading);
  if (title === "" && name === "") return source.url === null ? "" : new URL(source.url).host;
  return (name !== "" && (title === "" || title.includes(name)) ? name : title).slice(0, 300).toWellFormed();
}

/** The text under its own title, which extraction takes out of the page. */
function withTitle(title: string, markdown: string): string {
  return title === "" || /^# \S/.test(markdown) ? markdown : `# ${title}\n\n${markdown}`;
}

/** Cut between lines. */
function shortened(text: string): { markdown: string; omissions: string[] } {
  if (text.length <= mostText) return { markdown: text, omissions: [] };
  const line = text.lastIndexOf("\n", mostText);
  const markdown = text.slice(0, line > mostText / 2 ? line : mostText);
  return { markdown, omissions: [`All after the first ${markdown.length} characters of the text.`] };
}

function textLength(element: HtmlElement): number {
  return oneLine(element.textContent).length;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** What the extraction finds in the text where the metadata says nothing. */
function foundFacts(byline: string | null | undefined, published: string | null | undefined): PageFacts {
  const author = authorNames([(byline ?? "").replace(/^\s*by\s+/i, "")]);
  const date = dateOf(published ?? "");
  return { ...(author === undefined ? {} : { author }), ...(date === "" ? {} : { published: date }) };
}
