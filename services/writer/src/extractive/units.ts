import type { Passage } from "@proofroom/evidence";
import { plainSentence } from "./plain-sentence.ts";
import { sentenceWords, suitability } from "./suitability.ts";

/** One sentence as the article may print it. */
export interface UnitSentence {
  /** Markdown, without marker. */
  readonly text: string;
  readonly words: number;
  readonly passage: Passage;
}

/**
 * The smallest piece that can stand in an article: a sentence that explains itself, and the sentences right behind
 * it in its source that lean on it.
 */
export interface Unit {
  /** Ordinal in the corpus: units are in the order of sources and offsets. */
  readonly id: number;
  readonly sourceId: string;
  readonly block: number;
  readonly sentences: readonly UnitSentence[];
}

/** Further sentences that lean on an opener wander off. */
const mostFollowers = 2;

/** Groups passages (by source and offset) into units; sentences that cannot stand in an article are in none. */
export function unitsOf(passages: Iterable<Passage>): Unit[] {
  const units: (Unit & { sentences: UnitSentence[] })[] = [];
  let previous: Passage | undefined;
  for (const passage of passages) {
    const kind = suitability(passage);
    const text = kind === "unsuitable" ? null : plainSentence(passage.text);
    const sentence = text === null ? null : { text, words: sentenceWords(text), passage };
    const adjoins =
      previous?.sourceId === passage.sourceId &&
      previous.block === passage.block &&
      previous.position + 1 === passage.position;
    const last = units.at(-1);
    if (sentence !== null && kind === "opener") {
      const { sourceId, block } = passage;
      units.push({ id: units.length, sourceId, block, sentences: [sentence] });
      previous = passage;
    } else if (sentence !== null && adjoins && last !== undefined && last.sentences.length <= mostFollowers) {
      last.sentences.push(sentence);
      previous = passage;
    } else {
      previous = undefined;
    }
  }
  return units;
}
