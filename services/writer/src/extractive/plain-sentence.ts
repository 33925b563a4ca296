import { withoutMarkers } from "@proofroom/markdown";

const image = /!\[[^\]]*\]/;
const link = /\[([^[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)/g;
const referenceLink = /\[([^[\]]+)\]\[[^[\]]*\]/g;
/** Numbers and footnotes by which the source cites others: they would point nowhere. */
const foreignMarker = /\s?\\?\[\s?\^?[\w-]{0,3}?\d{1,4}(?:\s?[,;–-]\s?\d{1,4})*\s?\\?\]|\s?\[\^[^\]]+\]/g;
const emphasis = [
  /\*\*(?=\S)([^*]+?)\*\*/g,
  /__(?=\S)([^_]+?)__/g,
  /(?<!\w)\*(?=\S)([^*]+?)\*(?!\w)/g,
  /(?<!\w)_(?=\S)([^_]+?)_(?!\w)/g,
];
const leftovers = /[*|~^{}]|<\/?[a-z!]|https?:|www\.|`|\]\(|\[\[|\]\]|&[a-z]{2,8};|&#\d+;/i;

/**
 * A sentence of a source as Markdown for the article: on one line, words and inline code as they are, without
 * emphasis, link targets and the source's own citation markers. Null where other markup is left over.
 */
export function plainSentence(text: string): string | null {
  if (image.test(text)) return null;
  const code: string[] = [];
  let plain = text.replace(/\s+/g, " ").replace(/(`+)(?!`)(.+?)(?<!`)\1(?!`)/g, (span) => {
    code.push(span);
    return `\uE000${code.length - 1}\uE001`;
  });
  plain = plain.replace(link, "$1").replace(referenceLink, "$1").replace(foreignMarker, "");
  for (const pattern of emphasis) plain = plain.replace(pattern, "$1");
  plain = plain
    .replace(/&nbsp;/g, " ")
    .replace(/\(\s+/g, "(")
    .replace(/\s+/g, " ")
    .trim();
  if (leftovers.test(plain.replace(/\\./g, "")) || /\\$/.test(plain)) return null;
  // A dollar before a number is money; unescaped it could open a formula.
  plain = plain.replace(/(?<!\\)\$(?=\d)/g, "\\$");
  return plain.replace(/\uE000(\d+)\uE001/g, (_match, at: string) => code[Number(at)] ?? "");
}

/** What two sentences have in common when they say the same in the same words: no markup, no case, no spacing. */
export function sentenceKey(text: string): string {
  return withoutMarkers(text)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
