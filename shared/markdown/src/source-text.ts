/** One line of a text and the line ending that follows it (empty at the end of the text). */
export interface SourceLine {
  text: string;
  eol: string;
}

const byteOrderMark = "\ufeff";

/**
 * Cuts a text into lines. Only LF, CRLF and CR end a line; joining `text + eol` of all lines gives the text again.
 * A final line ending does not start another line.
 */
export function splitLines(text: string): SourceLine[] {
  const lines: SourceLine[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ text: text.slice(start, match.index), eol: match[0] });
    start = match.index + match[0].length;
  }
  if (start < text.length) lines.push({ text: text.slice(start), eol: "" });
  return lines;
}

/** Joins what `splitLines` has cut. */
export function joinLines(lines: readonly SourceLine[]): string {
  return lines.map((line) => line.text + line.eol).join("");
}

/** Splits a leading U+FEFF from the text behind it. */
export function splitByteOrderMark(text: string): { mark: string; rest: string } {
  return text.startsWith(byteOrderMark)
    ? { mark: byteOrderMark, rest: text.slice(1) }
    : { mark: "", rest: text };
}

/**
 * Prepares a text for the Markdown parser: drops a leading U+FEFF, makes every line ending LF, and turns a YAML
 * front matter block into blank lines. Line numbers stay those of the original.
 */
export function normaliseSource(text: string): string {
  const source = splitByteOrderMark(text).rest.replace(/\r\n?/g, "\n");
  const isDelimiter = (line: string | undefined) => line !== undefined && /^---[ \t]*$/.test(line);
  if (!source.startsWith("---")) return source;
  const lines = source.split("\n");
  if (!isDelimiter(lines[0])) return source;
  const end = lines.findIndex((line, at) => at > 0 && isDelimiter(line));
  if (end === -1) return source;
  return lines.fill("", 0, end + 1).join("\n");
}

/** A normalised text as the parser must get it: it drops a U+FEFF of its own, which is then a second one. */
export function parserInput(source: string): string {
  return source.startsWith(byteOrderMark) ? byteOrderMark + source : source;
}
