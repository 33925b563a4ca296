import { splitSentences } from "@proofroom/evidence";

const marks = /\s?\[(\d{1,3}(?:\s?,\s?\d{1,3})*)\]/g;

/**
 * Cuts an answer that cites by number (`[1]`, `[2, 3]`) into what it says from each source. A sentence belongs to
 * the sources whose numbers it carries, and one without a number to none: the whole is never credited to all. Where
 * there is one source only, and no number at all, everything is from it.
 * @param sources how many there are; numbers beyond stand for nothing
 * @returns by number, from 1
 */
export function attribute(answer: string, sources: number): Map<number, string> {
  const text = answer.replace(/<think>[\s\S]*?(?:<\/think>|$)/gi, "").trim();
  if (sources === 1 && text !== "" && text.search(marks) === -1) return new Map([[1, text]]);
  const said = new Map<number, string>();
  for (const line of text.split(/\r\n?|\n/)) {
    const sayings = new Map<number, string[]>();
    for (const sentence of sentencesOf(line)) {
      for (const number of numbersIn(sentence)) {
        if (number < 1 || number > sources) continue;
        const known = sayings.get(number) ?? [];
        known.push(sentence.replace(marks, "").trim());
        sayings.set(number, known);
      }
    }
    for (const [number, sentences] of sayings) {
      const before = said.get(number);
      const now = sentences.join(" ");
      said.set(number, before === undefined ? now : `${before}\n\n${now}`);
    }
  }
  return said;
}

/** Sentences of one line with the numbers behind them, without the marks of lists, quotes, headings and tables. */
function sentencesOf(line: string): string[] {
  const bare = line.replace(/^\s*(?:(?:[-*+>]|#{1,6}|\d{1,3}[.)])\s+)+|^\s*\||\|\s*$/g, "");
  return splitSentences(bare).map(({ text }) => text);
}

function numbersIn(sentence: string): Set<number> {
  const numbers = [...sentence.matchAll(marks)].flatMap(([, list = ""]) => list.split(",").map(Number));
  return new Set(numbers);
}
