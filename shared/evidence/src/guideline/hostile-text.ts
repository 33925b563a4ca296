/*
 * The Markdown parser is quadratic for a few inputs that no person writes (thousands of brackets without a partner, of
 * emphasis marks in one paragraph, of nested quotes, of punctuation at the end of a URL). Beyond generous limits such
 * characters are replaced by a neutral one of the same length, so that offsets stay and the time stays linear.
 */

const NEUTRAL = "\u00B7";
const MAX_CONTAINERS_PER_LINE = 100;
// The next five are per block of lines without a blank line or bullet, hence never less than per paragraph.
const MAX_OPEN_BRACKETS = 500;
const MAX_BRACKETS = 5000;
const MAX_STRAY_CLOSING_BRACKETS = 500;
const MAX_EMPHASIS_MARKS = 2000;
const MAX_OPEN_MARKUP = 20;
const MAX_GLUED_WWW = 100;

const CONTAINER_MARK = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))/y;
const BLOCK_START = /^(?:[> \t]*$| {0,3}[-+*][ \t]+\S)/;
// A line that may open or close a code block: if it were changed, the block would not end.
const FENCE = /^[> \t]*(?:~{3,}[^~]{0,100}|`{3,}[^`]{0,100})$/;
// Brackets, HTML that runs to its end wherever that is, and emphasis (an underscore inside a word is none).
const MARK = /[[\]]|<[?!]|>|\*+|~+|_+(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])_+/gu;
// Characters that end a bare URL only if nothing but more of them follows: each one makes the parser look ahead.
const TRAILING_RUN = /(?<=[^\s!"')*,.:;?_~&\]])(?:[!"')*,.:;?_~\]]|&[A-Za-z]{0,31};?){256,}/g;

/** Replaces what would make parsing super-linear. Ordinary text comes back unchanged; the length never changes. */
export function tameHostileText(text: string): string {
  let gluedWww = 0;
  const tamed = text
    .replace(TRAILING_RUN, (run) => NEUTRAL.repeat(run.length))
    .replace(/_(?=www\.)/gi, (mark) => {
      gluedWww += 1;
      return gluedWww > MAX_GLUED_WWW ? NEUTRAL : mark;
    });
  return limitMarks(tamed.split("\n").map(limitContainers)).join("\n");
}

function limitContainers(line: string): string {
  if (line.length <= MAX_CONTAINERS_PER_LINE) return line;
  let end = 0;
  for (let count = 0; ; count += 1) {
    CONTAINER_MARK.lastIndex = end;
    if (!CONTAINER_MARK.test(line)) return line;
    if (count === MAX_CONTAINERS_PER_LINE) break;
    end = CONTAINER_MARK.lastIndex;
  }
  return line.slice(0, end) + line.slice(end).replace(/[->+*]/g, NEUTRAL);
}

function limitMarks(lines: readonly string[]): string[] {
  let count = { open: 0, opened: 0, stray: 0, emphasis: 0, markup: 0 };
  const isTooMany = (mark: string): boolean => {
    switch (mark[0]) {
      case "[":
        count.open += 1;
        count.opened += 1;
        return count.open > MAX_OPEN_BRACKETS || count.opened > MAX_BRACKETS;
      case "]":
        if (count.open === 0) {
          count.stray += 1;
          return count.stray > MAX_STRAY_CLOSING_BRACKETS;
        }
        count.open -= 1;
        return count.open >= MAX_OPEN_BRACKETS || count.opened > MAX_BRACKETS;
      case "<":
        count.markup += 1;
        return count.markup > MAX_OPEN_MARKUP;
      case ">":
        count.markup = Math.max(count.markup - 1, 0);
        return false;
      default:
        count.emphasis += 1;
        return count.emphasis > MAX_EMPHASIS_MARKS;
    }
  };
  return lines.map((line) => {
    if (BLOCK_START.test(line)) count = { open: 0, opened: 0, stray: 0, emphasis: 0, markup: 0 };
    if (FENCE.test(line)) return line;
    return line.replace(MARK, (mark) => (isTooMany(mark) ? NEUTRAL.repeat(mark.length) : mark));
  });
}
