import { type Corpus, createRetriever, type Retriever, terms } from "@proofroom/evidence";
import { sentenceKey } from "./plain-sentence.ts";
import { suitability } from "./suitability.ts";
import { type Unit, type UnitSentence, unitsOf } from "./units.ts";

/** The evidence of a run, ready to be written from. */
export interface EvidenceBase {
  readonly corpus: Corpus;
  readonly retriever: Retriever;
  readonly units: readonly Unit[];
  /** The unit that a passage of the retriever belongs to. */
  unitAt(sourceId: string, start: number): Unit | undefined;
  termsOf(sentence: UnitSentence): ReadonlySet<string>;
  keyOf(sentence: UnitSentence): string;
}

/**
 * Indexes a corpus by the sentences that can stand in an article.
 * @param focus what the article is about: decides which sentences of a very large corpus are looked at
 */
export async function createEvidenceBase(
  corpus: Corpus,
  focus: string,
  signal?: AbortSignal,
): Promise<EvidenceBase> {
  const retriever = await createRetriever(corpus, {
    accept: (passage) => suitability(passage) !== "unsuitable",
    focus,
    ...(signal === undefined ? {} : { signal }),
  });
  const units = unitsOf(retriever.passages);
  const places = new Map<string, Unit>();
  for (const unit of units) {
    for (const { passage } of unit.sentences) places.set(`${passage.sourceId}:${passage.start}`, unit);
  }
  return {
    corpus,
    retriever,
    units,
    unitAt: (sourceId, start) => places.get(`${sourceId}:${start}`),
    termsOf: memoize((sentence) => new Set(terms(sentence.text))),
    keyOf: memoize((sentence) => sentenceKey(sentence.text)),
  };
}

/** Only sentences that are looked at are worth the memory. */
function memoize<Value>(compute: (sentence: UnitSentence) => Value): (sentence: UnitSentence) => Value {
  const known = new Map<UnitSentence, Value>();
  return (sentence) => {
    let value = known.get(sentence);
    if (value === undefined) {
      value = compute(sentence);
      known.set(sentence, value);
    }
    return value;
  };
}
