/**
 * Marks the inline code of Markdown: the ranges between backtick runs of equal length within one paragraph, in
 * order (CommonMark 6.1). Linear in the text.
 */
export function inlineCode(text: string): { start: number; end: number }[] {
  const runs: { start: number; end: number; paragraph: number }[] = [];
  let paragraph = 0;
  for (const match of text.matchAll(/`+|\n[^\S\n]*\n/g)) {
    if (match[0].startsWith("`")) {
      runs.push({ start: match.index, end: match.index + match[0].length, paragraph });
    } else {
      paragraph += 1;
    }
  }
  const closers: (number | undefined)[] = new Array(runs.length);
  const nearest = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index];
    if (run === undefined) continue;
    const candidate = nearest.get(run.end - run.start);
    if (candidate !== undefined && runs[candidate]?.paragraph === run.paragraph) closers[index] = candidate;
    nearest.set(run.end - run.start, index);
  }
  const ranges: { start: number; end: number }[] = [];
  for (let index = 0; index < runs.length; index++) {
    const closer = closers[index];
    const opening = runs[index];
    if (closer === undefined || opening === undefined) continue;
    ranges.push({ start: opening.start, end: runs[closer]?.end ?? opening.end });
    index = closer;
  }
  return ranges;
}
