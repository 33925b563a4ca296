/** One answer of a search, as `perplexity_results.md` holds it. */
export interface SearchBlock {
  id: number;
  address: string;
  answer: string;
}

interface Header {
  line: number;
  id: number;
  address: string;
}

/**
 * Reads the blocks of a file of search results: `### Source [n]: ADDRESS`, `Query: …`, `Answer: …`, closed by a line
 * of five dashes. The format escapes nothing, so an answer may hold such lines itself. A header counts only after a
 * closing line (or at the start), before a `Query:`, and where its number fits into the ascending row of the most
 * numbers: what an answer forges stays a part of that answer.
 * @param kept the numbers that may occur, where they are known
 */
export function parseSearchBlocks(text: string, kept?: ReadonlySet<number>): SearchBlock[] {
  const lines = text.split("\n");
  const headers = ascending(headersOf(lines).filter(({ id }) => kept === undefined || kept.has(id)));
  return headers.map(({ line, id, address }, at) => ({
    id,
    address,
    answer: answerOf(lines.slice(line + 1, headers[at + 1]?.line ?? lines.length)),
  }));
}

function headersOf(lines: readonly string[]): Header[] {
  const headers: Header[] = [];
  let before = "-----";
  for (const [line, text] of lines.entries()) {
    if (text.trim() === "") continue;
    const [, id, address] = /^### Source \[(\d{1,6})\]: *(\S.*?)\s*$/.exec(text) ?? [];
    const next = lines.slice(line + 1, line + 6).find((later) => later.trim() !== "");
    if (before === "-----" && id !== undefined && address !== undefined && next?.startsWith("Query:"))
      headers.push({ line, id: Number(id), address });
    before = text.trim();
  }
  return headers;
}

/** The longest strictly ascending row of numbers, in quadratic time at worst. */
function ascending(headers: readonly Header[]): Header[] {
  const lengths: number[] = [];
  const previous: number[] = [];
  let best = -1;
  for (const [at, { id }] of headers.entries()) {
    lengths[at] = 1;
    previous[at] = -1;
    for (let earlier = 0; earlier < at; earlier += 1) {
      const length = (lengths[earlier] ?? 0) + 1;
      if ((headers[earlier]?.id ?? 0) < id && length > (lengths[at] ?? 0)) {
        lengths[at] = length;
        previous[at] = earlier;
      }
    }
    if (best === -1 || (lengths[at] ?? 0) > (lengths[best] ?? 0)) best = at;
  }
  const row: Header[] = [];
  for (let at = best; at !== -1; at = previous[at] ?? -1) {
    const header = headers[at];
    if (header !== undefined) row.unshift(header);
  }
  return row;
}

/** What follows `Answer:`, without the closing line. Excerpts that were joined by `[...]` become paragraphs. */
function answerOf(lines: readonly string[]): string {
  const start = lines.findIndex((line) => line.startsWith("Answer:"));
  const body = start === -1 ? lines.filter((line) => !line.startsWith("Query:")) : lines.slice(start);
  return body
    .join("\n")
    .replace(/^Answer:[ \t]*/, "")
    .replace(/\n\s*-----\s*$/, "")
    .replace(/\s*\[\.\.\.\]\s*/g, "\n\n")
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
