import type { Locator } from "@proofroom/contracts";
import { splitSentences } from "../sentences/split-sentences.ts";
import type { Corpus, CorpusSource } from "./load-corpus.ts";
import { blocksOfProse, type SourceBlock } from "./source-blocks.ts";

/** One sentence of a source's prose: `text` is `source.text.slice(start, end)`. */
export interface Passage {
  readonly sourceId: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Ordinal of its paragraph or list item within the source. */
  readonly block: number;
  /** Ordinal within the block: 0 opens it. */
  readonly position: number;
  readonly form: SourceBlock["form"];
  readonly headings: readonly string[];
  readonly locator: Locator;
}

/** The sentences of a source's prose spans, in order. */
export function* passagesOf(source: CorpusSource): Generator<Passage> {
  let block = 0;
  for (const span of source.spans) {
    if (span.kind !== "prose") continue;
    const outer = span.locator.headings ?? [];
    for (const part of blocksOfProse(source.text.slice(span.start, span.end), span.start)) {
      const headings = [...outer, ...part.headings.filter((title) => !outer.includes(title))];
      let position = 0;
      for (const sentence of splitSentences(source.text.slice(part.start, part.end))) {
        yield {
          sourceId: source.id,
          start: part.start + sentence.start,
          end: part.start + sentence.end,
          text: sentence.text,
          block,
          position: position++,
          form: part.form,
          headings,
          locator: span.locator,
        };
      }
      block += 1;
    }
  }
}

/** The sentences of all sources, by source and offset. */
export function* corpusPassages(corpus: Corpus): Generator<Passage> {
  for (const source of corpus.sources) yield* passagesOf(source);
}
