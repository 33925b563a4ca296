import { ProofroomError } from "@proofroom/contracts";
import { parseHTML } from "linkedom";

/** The part of the DOM that is used here; the project is compiled without the browser's types. */
export interface HtmlElement {
  readonly nodeName: string;
  readonly parentElement: HtmlElement | null;
  readonly children: Iterable<HtmlElement> & { length: number };
  readonly nextSibling: HtmlElement | null;
  readonly childNodes: Iterable<HtmlElement> & { length: number };
  readonly classList: { contains(name: string): boolean };
  textContent: string;
  innerHTML: string;
  className: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): Iterable<HtmlElement>;
  closest(selector: string): HtmlElement | null;
  contains(other: HtmlElement): boolean;
  before(...nodes: (HtmlElement | string)[]): void;
  append(...nodes: (HtmlElement | string)[]): void;
  replaceWith(...nodes: (HtmlElement | string)[]): void;
  remove(): void;
}

export interface HtmlDocument extends HtmlElement {
  readonly documentElement: HtmlElement;
  readonly body: HtmlElement;
  createElement(name: string): HtmlElement;
}

/** Deeper than any page that people read; extraction grows with the cube of the depth. */
const maxDepth = 256;

/** More tags than any page that people read, and than can be read in the time that there is. */
const mostTags = 500_000;

/**
 * Parses HTML into a document that always has a html, head and body element, whatever the author left out.
 * @throws ProofroomError too_large where elements are nested deeper than 256, or more than half a million
 */
export function parseHtml(html: string): HtmlDocument {
  assertCountable(html);
  assertShallow(html);
  const complete = /<html[\s>]/i.test(html) && /<body[\s>]/i.test(html);
  const { document } = parseHTML(complete ? html : wrapped(html)) as unknown as { document: HtmlDocument };
  return document.documentElement?.nodeName === "HTML" ? document : parseHtml(wrapped(html));
}

function wrapped(html: string): string {
  const inner = html.replace(/<!doctype[^<>]*>|<\/?(?:html|head|body)(?:\s[^<>]*)?>/gi, "");
  return `<!doctype html><html><head></head><body>${inner}</body></html>`;
}

const neverNest = new Set(
  "area base br col embed hr img input link meta param source track wbr p li dt dd tr td th thead tbody tfoot option optgroup rp rt colgroup".split(
    " ",
  ),
);

/** What is no tag counts as one: each `<` makes a piece of its own. */
function assertCountable(html: string): void {
  let count = 0;
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at + 1)) {
    count += 1;
    if (count > mostTags) throw tooMany();
  }
}

/** Counts open elements by their tags, passing over comments and the contents of scripts and styles. */
function assertShallow(html: string): void {
  const token =
    /<!--[\s\S]*?(?:-->|$)|<(script|style|textarea|title)\b[\s\S]*?(?:<\/\1|$)|<(\/?)([a-z][^\s/<>]*)(?![^\s/<>])[^<>]*?(\/?)>/gi;
  let depth = 0;
  for (const [, raw, closing, name, selfClosing] of html.matchAll(token)) {
    if (raw !== undefined || name === undefined || neverNest.has(name.toLowerCase())) continue;
    if (closing === "/") depth = Math.max(0, depth - 1);
    else if (selfClosing !== "/") depth += 1;
    if (depth > maxDepth) throw tooDeep();
  }
}

function tooDeep(): ProofroomError {
  return new ProofroomError({
    code: "too_large",
    message: "The page's elements are nested too deeply to be read.",
    remedy: "Give the text of the page as a local file.",
  });
}

function tooMany(): ProofroomError {
  return new ProofroomError({
    code: "too_large",
    message: "The page has more elements than can be read.",
    remedy: "Give the text of the page as a local file.",
  });
}
