/** One answer of a search, as `perplexity_results.md` holds it. */
export interface SearchBlock {
  id: number;
  address: string;
  answer: string;
  /** False where the number does not fit into the row of the others: an answer may have forged the block. */
  fits: boolean;
}

interface Header {
  line: number;
  id: number;
  address: string;
}

/**
 * Reads the blocks of a file of search results: `### Source [n]: ADDRESS`, `Query: …`, `Answer: …`, closed by a line
 * of five dashes. The format escapes nothing, so an answer may hold such lines itself. A header counts only after a
 * closing line (or at the start) and before a `Query:`; what only resembles one stays a part of its answer. Whole
 * blocks that an answer forges show by their numbers alone: those of the file ascend.
 * @param kept the numbers that may occur, where they are known
 */
export function parseSearchBlocks(text: string, kept?: ReadonlySet<number>): SearchBlock[] {
  const lines = text.split("\n");
  const headers = headersOf(lines);
  const row = ascending(headers.filter(({ id }) => kept === undefined || kept.has(id)));
  return headers.map((header, at) => ({
    id: header.id,
    address: header.address,
    answer: answerOf(lines.slice(header.line + 1, headers[at + 1]?.line ?? lines.length)),
    fits: row.has(header),
  }));
}

function headersOf(lines: readonly string[]): Header[] {
  const headers: Header[] = [];
  let before = "-----";
  for (const [line, text] of lines.entries()) {
    if (text.trim() === "") continue;
    const [, id, address] = /^### Source \[(\d{1,6})\]: *(\S.*)$/.exec(text.trimEnd()) ?? [];
    const next = lines.slice(line + 1, line + 6).find((later) => later.trim() !== "");
    if (before === "-----" && id !== undefined && address !== undefined && next?.startsWith("Query:"))
      headers.push({ line, id: Number(id), address });
    before = text.trim();
  }
  return headers;
}

interface Row {
  last: Header;
  before: Row | undefined;
  length: number;
}

/** The longest strictly ascending row, of several the first that ends lowest; in quadratic time at worst. */
function ascending(headers: readonly Header[]): ReadonlySet<Header> {
  const rows: Row[] = [];
  let best: Row | undefined;
  for (const header of headers) {
    let before: Row | undefined;
    for (const row of rows) if (row.last.id < header.id && row.length > (before?.length ?? 0)) before = row;
    const row: Row = { last: header, before, length: (before?.length ?? 0) + 1 };
    rows.push(row);
    const isBetter = row.length === best?.length && header.id < best.last.id;
    if (isBetter || row.length > (best?.length ?? 0)) best = row;
  }
  const found = new Set<Header>();
  for (let row = best; row !== undefined; row = row.before) found.add(row.last);
  return found;
}

/** What follows `Answer:`, without the closing line. Excerpts that were joined by `[...]` become paragraphs. */
function answerOf(lines: readonly string[]): string {
  const start = lines.findIndex((line) => line.startsWith("Answer:"));
  const body = start === -1 ? lines.filter((line) => !line.startsWith("Query:")) : lines.slice(start);
  const text = body
    .join("\n")
    .replace(/^Answer:/, "")
    .trim()
    .replace(/(?:^|\n)-----$/, "");
  return text
    .split("[...]")
    .map((excerpt) => excerpt.trim())
    .join("\n\n")
    .trim();
}

/** An answer cut into the title that it opens with (a short first line with a blank one below) and the rest. */
export function splitAnswer(answer: string): { title: string | null; body: string } {
  const [opening, line = ""] = /^([^\n]{3,200})\n[ \t]*\n/.exec(answer) ?? [];
  const title = line
    .replace(/^#+\s*/, "")
    .replace(/\s*(?:\.{3}|…)$/, "…")
    .trim();
  if (opening === undefined || title === "" || /[.!?:]$/.test(title)) return { title: null, body: answer };
  return { title, body: answer.slice(opening.length).trim() };
}
