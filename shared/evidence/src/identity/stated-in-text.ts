import { parseDoi } from "./identifiers.ts";

/** Characters in which a paper states what it is; a bibliography is never as near to the beginning. */
const headLength = 2_500;
const bibliography = /^[#*\s\d.]*(?:references|bibliography|works cited|literature(?: cited)?|citations)\b/im;
const doi = /\b10\.\d{4,9}\/[^\s"<>\])}|]+/g;
const doiLine = /^[\s>*_[(]*(?:doi\b|(?:https?:\/\/)?(?:dx\.)?doi\.org\/)/i;

/**
 * The DOI that stands on a line of its own in the head of a text, and no other in it. It may still be that of another
 * work, which the text is about.
 */
export function doiInHead(text: string): string | null {
  const start = text.slice(0, headLength);
  const end = bibliography.exec(start)?.index ?? start.length;
  const lines = start.slice(0, end).split("\n");
  const found = new Set<string | null>();
  let isStated = false;
  for (const line of lines) {
    for (const [one] of line.matchAll(doi)) {
      found.add(parseDoi(one));
      isStated ||= doiLine.test(line);
    }
  }
  const [only = null, ...others] = found;
  return isStated && others.length === 0 ? only : null;
}

/** The id in the stamp that arXiv prints on the first page of its papers. */
export function arxivStampInHead(text: string): string | null {
  const stamp = /\barXiv:(\d{4}\.\d{4,5})(?:v\d+)?\s+\[[a-z-]+(?:\.[a-z-]+)?\]/gi;
  const found = new Set([...text.slice(0, 2 * headLength).matchAll(stamp)].map(([, id]) => id));
  const [only = null, ...others] = found;
  return others.length === 0 ? (only ?? null) : null;
}
