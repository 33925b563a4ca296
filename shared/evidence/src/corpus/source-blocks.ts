/** A paragraph or list item within prose: where its own words stand, without list mark, quote mark or timestamp. */
export interface SourceBlock {
  start: number;
  end: number;
  form: "paragraph" | "item" | "quote";
  /** Headings above it that stand in the prose itself, outermost first. */
  headings: readonly string[];
}

const heading = /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/;
const fence = /^ {0,12}(`{3,}|~{3,})/;
const item = /^\s*(?:[-*+•·‣]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
const quote = /^ {0,3}>\s?/;
/** Not prose by their first characters: tables, HTML, rules and underlines, link definitions, code by indentation. */
const other = /^(?: {0,3}(?:\||<[a-z!/]|(?:[-*_=]\s*){3,}$|\[[^\]\n]{1,200}\]:\s)| {4,}|\t)/i;
const timestamp = /^\s*[[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?\s*(?:[-–—:]\s*)?/;

/**
 * The blocks of a stretch of Markdown prose, offsets counted from `base`. Line by line and not by a syntax tree,
 * since extracted text is often broken Markdown; what is doubtful is left out.
 */
export function blocksOfProse(text: string, base = 0): SourceBlock[] {
  const blocks: SourceBlock[] = [];
  const path: { depth: number; title: string }[] = [];
  let current: SourceBlock | undefined;
  let fenceMark = "";
  let at = 0;

  const close = () => {
    if (current !== undefined && current.end > current.start) blocks.push(current);
    current = undefined;
  };
  const open = (form: SourceBlock["form"], skip: number, line: string) => {
    close();
    const stamp = timestamp.exec(line.slice(skip))?.[0].length ?? 0;
    const start = base + at + skip + stamp;
    current = {
      start,
      end: base + at + line.trimEnd().length,
      form,
      headings: path.map(({ title }) => title),
    };
  };

  for (const line of text.split("\n")) {
    const mark = fence.exec(line)?.[1];
    if (fenceMark !== "") {
      if (mark?.startsWith(fenceMark) && line.trim() === mark) fenceMark = "";
    } else if (mark !== undefined) {
      close();
      fenceMark = mark;
    } else if (line.trim() === "") {
      close();
    } else {
      const title = heading.exec(line);
      const marked = item.exec(line)?.[0];
      const quoted = quote.exec(line)?.[0];
      if (title !== null) {
        close();
        const depth = title[1]?.length ?? 1;
        while ((path.at(-1)?.depth ?? 0) >= depth) path.pop();
        path.push({ depth, title: title[2] ?? "" });
      } else if (/^\s*(?:[-*_=]\s*){3,}$/.test(line)) {
        // A rule, or an underline that makes a heading of the line above it.
        if (/^\s*(?:=+|-+)\s*$/.test(line)) current = undefined;
        close();
      } else if (marked !== undefined) {
        open("item", marked.length, line);
      } else if (quoted !== undefined) {
        if (current?.form === "quote") current.end = base + at + line.trimEnd().length;
        else open("quote", quoted.length, line);
      } else if (current !== undefined && !/^ {0,3}\|/.test(line)) {
        current.end = base + at + line.trimEnd().length;
      } else if (other.test(line)) {
        close();
      } else {
        open("paragraph", line.length - line.trimStart().length, line);
      }
    }
    at += line.length + 1;
  }
  close();
  return blocks;
}
