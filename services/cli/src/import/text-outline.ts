import { proseBlocks } from "@proofroom/markdown";
import { isChatter } from "./clean-text.ts";
import { sameSlug, slugOf } from "./slug.ts";

/** Headings are looked for in this much of a text, in characters. */
const sample = 40_000;
const longestTitle = 200;

/** What sites put around their pages. */
const furniture =
  /^(?:(?:primary |main |site )?navigation|menu|search\b.{0,20}|suggested|cookie.*|we value your privacy.*|privacy.*|(?:table of )?contents|on this page|in this article|skip to .*|related.*|share.*|(?:sign|log) ?in.*|sign ?up.*|newsletter.*|subscribe.*|references|footer|comments?|title:?|abstract|description:?|language|get started|summary)$/i;
const cleaned =
  /^(?:the )?(?:cleaned|extracted|relevant)(?:[ -]up)? (?:markdown|content|text|article|page)\b.{0,40}$/i;
const errorWords =
  /^(?:an? )?(?:(?:api|unexpected|http|internal|fatal) )*error\b.*(?:https?:|\d{3}|processing|occurred)/i;

interface Heading {
  depth: number;
  text: string;
}

function headingsOf(text: string): Heading[] {
  const head = text.slice(0, sample);
  const lines = head.split("\n");
  return proseBlocks(head)
    .filter(({ kind }) => kind === "heading")
    .map((block) => {
      const marks = /^[\s>]*(#{1,6})\s/.exec(lines[block.line - 1] ?? "")?.[1];
      const underlined = /^\s*=+\s*$/.test(lines[block.line] ?? "") ? 1 : 2;
      return { depth: marks?.length ?? underlined, text: titled(block.text) };
    })
    .filter(({ text: title }) => isTitle(title));
}

/** Whether some words can stand as a title: no chatter, no error, not the name of a part of every page. */
function isTitle(text: string): boolean {
  return (
    /[\p{L}\p{N}]{2}/u.test(text) &&
    text.length <= longestTitle &&
    !furniture.test(text) &&
    !cleaned.test(text) &&
    !errorWords.test(text) &&
    !isChatter(text)
  );
}

/** A heading as a title: on one line, without the link mark that sites append. */
function titled(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\s*[#¶]+$/, "")
    .replace(/^\d+\.\s+(?=\p{L})/u, "")
    .trim();
}

/**
 * The title of a text: the heading that its file was named after, else the first of the highest rank, else what is
 * given in its place, else any heading, else the file's name in words.
 * @param known titles that the folder gives for the text, best first
 */
export function titleOf(text: string, stem: string, known: readonly (string | null | undefined)[]): string {
  const headings = headingsOf(text);
  const named = headings.find((heading) => sameSlug(slugOf(heading.text), slugOf(stem)));
  const given = known.find((title) => typeof title === "string" && isTitle(title)) ?? undefined;
  const sameAsStem = given !== undefined && sameSlug(slugOf(given), slugOf(stem)) ? given : undefined;
  const top = headings.find(({ depth }) => depth === 1);
  return named?.text ?? sameAsStem ?? top?.text ?? given ?? headings[0]?.text ?? inWords(stem);
}

function inWords(stem: string): string {
  const words = stem.replace(/[-_\s]+/g, " ").trim();
  return words === "" ? "Untitled" : words.charAt(0).toUpperCase() + words.slice(1);
}
