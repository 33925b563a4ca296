import { extractFences, wordCount } from "@proofroom/markdown";
import { removeSentences } from "../refine/article-text.ts";

/** Shorter sentences may well be said again, in words: “An example:”. */
const fewestWords = 4;
/** Rows, items and other lines that are the same so often are no text of a person's. */
const mostLines = 3;

/** The text with each sentence once, where it is said first. */
export function withoutRepeated(body: string): string {
  const said = new Set<string>();
  const isSaid = ({ key }: { key: string }) => {
    if (wordCount(key) < fewestWords) return false;
    const known = said.has(key);
    said.add(key);
    return known;
  };
  return removeSentences(body, isSaid, () => true).markdown;
}

/** What stands in a text again and again beside its sentences, or null: models can get caught in a loop. */
export function repetitionIn(body: string): string | null {
  const blocks = extractFences(body);
  const codes = new Set(blocks.map(({ code }) => code.trim()));
  if (codes.size < blocks.length) return "A block of code stands in it twice: give each once.";
  const ownLines = new Set([...codes].flatMap((code) => code.split("\n")).map((line) => line.trim()));
  const counts = new Map<string, number>();
  for (const line of body.split("\n").map((one) => one.trim())) {
    if (wordCount(line) < fewestWords || ownLines.has(line)) continue;
    const count = (counts.get(line) ?? 0) + 1;
    if (count > mostLines) return `It says the same again and again: “${line.slice(0, 60)}”.`;
    counts.set(line, count);
  }
  return null;
}
