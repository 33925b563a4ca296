import { type Corpus, sourceNumber } from "../corpus/load-corpus.ts";
import { corpusPassages, type Passage } from "../corpus/passages.ts";
import { type CodeBlock, codeBlocks } from "./code-blocks.ts";
import { diversify } from "./diversify.ts";
import type { Hit } from "./hit.ts";
import { breathe, createIndex } from "./ranked-index.ts";
import { terms } from "./terms.ts";

export interface SearchOptions {
  /** 10 unless given. */
  limit?: number;
  /** Hits that cover less of the query are left out; 0.2 unless given. */
  floor?: number;
  /** 0 ranks by relevance alone, 1 by difference from what is already chosen; 0.3 unless given. */
  diversity?: number;
  /** Most hits of one source. */
  perSource?: number;
}

export interface RetrieverOptions {
  /** Which passages are searched; all unless given. */
  accept?: (passage: Passage) => boolean;
  /** What will be searched for: of very many passages, those that share most terms with it are kept. */
  focus?: string;
  /** Most passages that are indexed, for the sake of memory; 20,000 unless given. */
  most?: number;
  signal?: AbortSignal;
}

/** Search over the evidence of a run. The same corpus gives the same answers on every machine. */
export interface Retriever {
  /** The passages searched, by source and offset. */
  readonly passages: readonly Passage[];
  /** The sentences that bear on a query, best first, no two much alike. */
  search(query: string, options?: SearchOptions): Hit<Passage>[];
  /** The code that bears on a query by its identifiers, headings and surrounding prose, best first. */
  findCode(query: string, languages?: readonly string[]): Hit<CodeBlock>[];
}

/** Most blocks of code that are indexed. */
const mostCode = 5_000;

interface Place {
  readonly sourceId: string;
  readonly start: number;
}

function byPlace(a: Place, b: Place): number {
  return sourceNumber(a.sourceId) - sourceNumber(b.sourceId) || a.start - b.start;
}

/** Indexes a corpus in memory (BM25 over sentences, their headings and titles). */
export async function createRetriever(corpus: Corpus, options: RetrieverOptions = {}): Promise<Retriever> {
  const passages = await collect(corpus, options);
  const title = (sourceId: string) => corpus.byId.get(sourceId)?.title ?? "";
  const sentences = await createIndex(
    passages,
    (passage) => ({
      body: passage.text,
      context: `${passage.headings.slice(-2).join(" ")} ${title(passage.sourceId)}`,
    }),
    byPlace,
    options.signal,
  );
  const code = await createIndex(
    fewest([...codeBlocks(corpus)], mostCode, options.focus, ({ code, before }) => `${code} ${before}`),
    (block) => ({
      body: `${block.code.slice(0, 3_000)} ${block.before}`,
      context: `${(block.locator.headings ?? []).join(" ")} ${block.locator.file ?? ""} ${block.after} ${title(block.sourceId)}`,
    }),
    byPlace,
    options.signal,
  );
  return {
    passages,
    search(query, { limit = 10, floor = 0.2, diversity = 0.3, perSource = Number.POSITIVE_INFINITY } = {}) {
      const hits = sentences.search(query).filter((hit) => hit.coverage >= floor);
      return diversify(hits, {
        limit,
        diversity,
        perGroup: perSource,
        group: (passage) => passage.sourceId,
        terms: (passage) => new Set(terms(passage.text)),
      });
    },
    findCode(query, languages) {
      return code
        .search(query)
        .filter(({ item }) => languages === undefined || languages.includes(item.language ?? ""));
    },
  };
}

async function collect(corpus: Corpus, { accept, focus, most = 20_000, signal }: RetrieverOptions) {
  const found: Passage[] = [];
  let seen = 0;
  for (const passage of corpusPassages(corpus)) {
    seen += 1;
    if (seen % 1_000 === 0) {
      signal?.throwIfAborted();
      await breathe();
    }
    if (accept?.(passage) ?? true) found.push(passage);
  }
  return fewest(found, most, focus, ({ text, headings }) => `${text} ${headings.slice(-2).join(" ")}`);
}

/** Of too many items those that share most terms with the focus; of equals the earlier in their own sources. */
function fewest<Item extends Place>(
  items: Item[],
  most: number,
  focus = "",
  textOf: (item: Item) => string,
): Item[] {
  if (items.length <= most) return items;
  const wanted = new Set(terms(focus));
  const order = new Map<string, number>();
  const ranked = items.map((item, at) => {
    const ordinal = order.get(item.sourceId) ?? 0;
    order.set(item.sourceId, ordinal + 1);
    return { item, at, ordinal, shared: wanted.intersection(new Set(terms(textOf(item)))).size };
  });
  ranked.sort((a, b) => b.shared - a.shared || a.ordinal - b.ordinal || a.at - b.at);
  return ranked
    .slice(0, most)
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
