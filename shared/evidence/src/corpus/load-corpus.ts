import {
  type Failure,
  ProofroomError,
  type Source,
  type SourceIndex,
  type SourceKind,
  type Span,
} from "@proofroom/contracts";

/** A source as it is worked with: its id, its text and its spans. Provenance stays in the store. */
export interface CorpusSource {
  readonly id: string;
  readonly ref: string;
  readonly kind: SourceKind;
  readonly title: string;
  readonly words: number;
  readonly text: string;
  readonly spans: readonly Span[];
}

/** All evidence of a run, in the order of the ids. */
export interface Corpus {
  readonly sources: readonly CorpusSource[];
  readonly byId: ReadonlyMap<string, CorpusSource>;
  readonly failures: readonly Failure[];
}

export interface LoadOptions {
  signal?: AbortSignal;
  /** Sources read at a time; 4 unless given. */
  concurrency?: number;
}

/** The number in a source id: `S12` → 12. */
export function sourceNumber(id: string): number {
  return Number(id.slice(1));
}

/**
 * Reads the sources of an index, a few at a time, whatever order they arrive in.
 * @throws ProofroomError what `read` throws; invalid_input where a source's spans do not fit its text
 */
export async function loadCorpus(
  index: SourceIndex,
  read: (artifact: string) => Promise<Source>,
  options: LoadOptions = {},
): Promise<Corpus> {
  const entries = index.sources.toSorted((a, b) => sourceNumber(a.id) - sourceNumber(b.id));
  const sources: CorpusSource[] = new Array(entries.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < entries.length) {
      options.signal?.throwIfAborted();
      const at = next++;
      const entry = entries[at];
      if (entry === undefined) return;
      const source = await read(entry.artifact);
      assertSpans(entry.id, source);
      sources[at] = {
        id: entry.id,
        ref: entry.ref,
        kind: entry.kind,
        title: entry.title,
        words: entry.words,
        text: source.text,
        spans: source.spans,
      };
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.concurrency ?? 4, entries.length) }, worker));
  return {
    sources,
    byId: new Map(sources.map((source) => [source.id, source])),
    failures: index.failures,
  };
}

function assertSpans(id: string, source: Source): void {
  let last = 0;
  for (const span of source.spans) {
    if (span.start < last || span.end <= span.start || span.end > source.text.length) {
      throw new ProofroomError({
        code: "invalid_input",
        message: `The spans of source ${id} do not fit its text.`,
        remedy: "Gather the source again.",
      });
    }
    last = span.end;
  }
}
