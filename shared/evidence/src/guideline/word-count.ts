const NUMBER = String.raw`\d{1,3}(?:[,.\u00A0\u202F ]\d{3})+|\d+(?:\.\d+)?k?`;
const WORDS = new RegExp(
  String.raw`(?<![\d.,])(${NUMBER})(?:\s*(?:-|\u2013|\u2014|to)\s*(${NUMBER}))?[\s-]*(?:words?\b|palabras\b|mots\b|W\u00F6rter\b|\u5B57)`,
  "i",
);
const LENGTH_LABEL =
  /^(?:(?:section|target|expected|approximate|approx\.?|total|article)\s+)*(?:length|word\s*count|words)\b/i;

/** The first number of words that a text asks for ("300 words", "2,000-2,500 words" gives the middle), or null. */
export function wordCountIn(text: string): number | null {
  const match = WORDS.exec(text);
  if (match === null) return null;
  const from = numberOf(match[1] ?? "");
  const to = match[2] === undefined ? from : numberOf(match[2]);
  const middle = Math.round((from + to) / 2);
  return middle >= 1 && middle <= 1_000_000 ? middle : null;
}

/** Whether a line is about the length of the text, such as "Section length: 300 words". */
export function isLengthLine(text: string): boolean {
  return (
    LENGTH_LABEL.test(text) ||
    /^[\u2248~(\s]*(?:(?:about|around|approx\.?)\s+)?[\d,.\s\u2013-]+words?[.)\s]*$/i.test(text)
  );
}

function numberOf(text: string): number {
  if (/k$/i.test(text)) return Number.parseFloat(text) * 1000;
  return Number.parseFloat(/^\d+\.\d{1,2}$/.test(text) ? text : text.replace(/\D/g, ""));
}
