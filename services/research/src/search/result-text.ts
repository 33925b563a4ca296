import { notContent } from "../ingest/web/not-content.ts";

/** Words of a source's text, at the most. */
export const mostWords = 300;
/** Excerpts longer than this are cut before anything is made of them, in characters. */
const longest = 20_000;

/** What steers a terminal or a reader's eye, or cannot be seen at all: controls, direction marks, tags. */
const unseen =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]+/gu;

/** Foreign text as it is kept: line breaks and blanks as they are everywhere, what cannot be seen taken out. */
export function cleanText(text: string): string {
  return text
    .slice(0, longest)
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll("\t", " ")
    .split("\n")
    .map((line) => line.replace(unseen, "").trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** The same on one line, for titles, names and dates. */
export function cleanLine(text: string, limit = 300): string {
  const line = cleanText(text).replace(/\s+/g, " ");
  return cutAtWord(line, limit);
}

/** The beginning of a text, in UTF-16 code units: up to the last white space, if there is one in its second half. */
export function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit + 1);
  const space = head.search(/\s\S*$/);
  const end = space > limit / 2 ? space : limit - (/[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? 1 : 0);
  return text.slice(0, end).trimEnd();
}

/** Scripts that put no blanks between words. */
const scripts = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
  .map((name) => `\\p{sc=${name}}`)
  .join("");
const word = new RegExp(`([${scripts}])|[^\\s${scripts}]+`, "gu");

/** The first words of a text, with what stands between them; characters of a script without blanks are half a word each. */
export function firstWords(text: string, limit: number): string {
  let words = 0;
  for (const { index, 1: character } of text.matchAll(word)) {
    words += character === undefined ? 1 : 0.5;
    if (words > limit) return text.slice(0, index).trimEnd();
  }
  return text;
}

/** The fewest letters and digits that say something. */
const leastLetters = 10;
/** An error is a short text; in characters. */
const mostOfError = 600;
const error =
  /^\W*(?:(?:an? )?(?:(?:unexpected|unknown|internal|fatal|http|api|server|client|network|runtime) )*(?:error|exception)\b\s*(?:[:([{]|\d{3}\b|code\b|occurred\b|while\b|fetching\b|loading\b)|(?:HTTP(?:\/[\d.]+)? |status(?: code)?:? )?[45]\d\d\b[ :–—-]*(?:client error|server error|too many requests|forbidden|not found|unauthori[sz]ed|internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|request time-?out|bad request|$)|(?:failed|unable) to (?:fetch|load|scrape|retrieve|access|open|parse|extract)\b|Traceback \(most recent call last\)|too many requests\b|(?:bad gateway|service unavailable|internal server error|rate limit exceeded)\W*$)/i;

/** Why what a search shows of a page is no evidence, in words that go on "The search result holds …"; null for evidence. */
export function notEvidence(title: string, text: string): string | null {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (letters === 0) return "no text";
  if (text.length <= mostOfError && error.test(text)) return "an error message";
  const notice = notContent({ title, text, html: "" });
  if (notice !== null && notice !== "empty") return notices[notice];
  return letters < leastLetters ? "too little text to be cited" : null;
}

const notices = {
  challenge: "a bot check",
  login: "a login page",
  missing: 'a "not found" page',
  script_only: "a page that shows nothing without scripts",
  data: "data for programs, not text",
} as const;
