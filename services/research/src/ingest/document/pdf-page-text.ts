/** The parts of a text item of pdf.js that are read here: `transform` ends in x and y, y grows upwards. */
export interface PdfTextItem {
  str: string;
  transform: number[];
  height: number;
  hasEOL: boolean;
}

export interface PdfParagraph {
  text: string;
  /** Of the letters of its first line, in points. */
  height: number;
}

interface Line {
  text: string;
  y: number;
  height: number;
}

/**
 * The paragraphs of a page in the order of its text layer. Lines are joined where no wider gap, no change of
 * letter size and no jump upwards after a full stop stands between them; words broken at a line's end are mended.
 */
export function paragraphsOfPage(items: readonly PdfTextItem[]): PdfParagraph[] {
  const paragraphs: { parts: string[]; height: number }[] = [];
  let previous: Line | null = null;
  for (const line of linesOf(items)) {
    const current = paragraphs.at(-1);
    if (current === undefined || previous === null || beginsParagraph(previous, line)) {
      paragraphs.push({ parts: [line.text], height: line.height });
    } else join(current.parts, line.text);
    previous = line;
  }
  return paragraphs.map(({ parts, height }) => ({ text: parts.join(""), height }));
}

function linesOf(items: readonly PdfTextItem[]): Line[] {
  const lines: Line[] = [];
  let parts: string[] = [];
  let isBlank = true;
  let y = 0;
  let height = 0;
  const flush = () => {
    if (!isBlank) lines.push({ text: parts.join("").replaceAll(/\s+/g, " ").trim(), y, height });
    parts = [];
    isBlank = true;
    height = 0;
  };
  for (const item of items) {
    const itemY = item.transform[5] ?? 0;
    const hasText = item.str.trim() !== "";
    if (!isBlank && hasText && Math.abs(itemY - y) > Math.max(height, item.height)) flush();
    if (hasText) {
      isBlank = false;
      y = itemY;
      height = Math.max(height, item.height);
    }
    parts.push(item.str);
    if (item.hasEOL) flush();
  }
  flush();
  return lines;
}

function beginsParagraph(previous: Line, line: Line): boolean {
  const height = Math.max(previous.height, line.height, 1);
  const smaller = Math.min(previous.height, line.height);
  if (smaller > 0 && smaller < height * 0.85) return true;
  const gap = previous.y - line.y;
  if (gap > height * 1.8) return true;
  return gap < 0 && /[.!?:]["')\]]?$/.test(previous.text);
}

function join(parts: string[], next: string): void {
  const last = parts.at(-1) ?? "";
  const word = /^\S*/.exec(next)?.[0] ?? "";
  const isBroken = /\p{Ll}-$/u.test(last) && /^\p{Ll}/u.test(word) && !word.includes("-");
  if (isBroken) parts.splice(-1, 1, last.slice(0, -1), next);
  else parts.push(" ", next);
}
