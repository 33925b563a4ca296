import {
  type Attribution,
  artifact,
  type Failure,
  type Gathered,
  gatheredArtifact,
  gatheredSchema,
  guidelineReferencesSchema,
  type Note,
  processGithubUrls,
  processLocalFiles,
  runPerplexityResearch,
  runWebResearch,
  type SourceIndex,
  scrapeAndCleanOtherUrls,
  scrapeResearchUrls,
  transcribeYoutubeUrls,
} from "@proofroom/contracts";
import type { StepArtifacts } from "@proofroom/runtime";
import { resultAddress } from "../search/result-address.ts";
import { readDropped } from "../selection/kept.ts";
import { refusedReference } from "./refused-reference.ts";

/** The capabilities that gather, in the order in which their sources get ids. */
const gatherers = [
  processLocalFiles.name,
  scrapeAndCleanOtherUrls.name,
  processGithubUrls.name,
  transcribeYoutubeUrls.name,
  runWebResearch.name,
  runPerplexityResearch.name,
  scrapeResearchUrls.name,
] as const;
export type Gatherer = (typeof gatherers)[number];

export interface CorpusEntry {
  id: string;
  /** By which it is listed. */
  ref: string;
  gatherer: Gatherer;
  source: Gathered["sources"][number];
  /** Other references that gave the same text, or led to the same work. */
  alsoAt: string[];
  /** Of a work that is at several addresses: as any of them names its authors. */
  author?: string;
}

export interface GatheredCorpus {
  entries: CorpusEntry[];
  failures: Failure[];
  notes: Note[];
}

/**
 * All gathered sources, each once: the first of those with the same reference or the same text, and nothing that a
 * search shows of a page that was read itself, or that was not kept. The failures are what the guideline's own references were refused for, and what could not be had.
 */
export async function readGathered(artifacts: StepArtifacts): Promise<GatheredCorpus> {
  const entries: CorpusEntry[] = [];
  const byText = new Map<string, CorpusEntry>();
  const had = new Set<string>();
  const failures = new Map<string, Failure>();
  const references = await artifacts.tryReadJson(artifact.references, guidelineReferencesSchema);
  for (const { ref, reason } of references?.rejected ?? []) {
    failures.set(`${reason} ${ref}`, refusedReference(ref, reason));
  }
  const lists = new Map<Gatherer, Gathered | null>();
  for (const gatherer of gatherers) {
    lists.set(gatherer, await artifacts.tryReadJson(gatheredArtifact(gatherer), gatheredSchema));
  }
  const pages = pagesOf([...lists.values()]);
  const dropped = await readDropped(artifacts);
  for (const [gatherer, gathered] of lists) {
    for (const source of gathered?.sources ?? []) {
      const isFound = source.kind === "search_result";
      if (had.has(source.ref) || (isFound && (pages.has(keyOf(source.ref)) || dropped.has(source.ref))))
        continue;
      had.add(source.ref);
      const same = byText.get(source.sha256);
      if (same !== undefined) {
        same.alsoAt.push(source.ref);
        continue;
      }
      const entry = { id: sourceId(entries.length), ref: source.ref, gatherer, source, alsoAt: [] };
      byText.set(source.sha256, entry);
      entries.push(entry);
    }
    for (const failure of gathered?.failures ?? []) {
      const key = `${failure.code} ${failure.ref}`;
      if (!failures.has(key)) failures.set(key, failure);
    }
  }
  return {
    entries,
    failures: [...failures.values()].filter(({ ref }) => !had.has(ref)),
    notes: [...lists.values()].flatMap((gathered) => gathered?.notes ?? []),
  };
}

/** The addresses of what was read itself. */
function pagesOf(lists: readonly (Gathered | null)[]): ReadonlySet<string> {
  const sources = lists.flatMap((gathered) => gathered?.sources ?? []);
  return new Set(sources.filter(({ kind }) => kind !== "search_result").map(({ ref }) => keyOf(ref)));
}

function keyOf(ref: string): string {
  const address = resultAddress(ref);
  return typeof address === "string" ? ref : address.key;
}

/** The id of the source at a place of the corpus. */
export function sourceId(place: number): string {
  return `S${place + 1}`;
}

/** The facts of each source that its reader and the index are told beside its text, by id. */
export interface SourceFacts extends Attribution {
  words: number;
}

export function sourceIndex(corpus: GatheredCorpus, factsOf: ReadonlyMap<string, SourceFacts>): SourceIndex {
  return {
    v: 1,
    sources: corpus.entries.map(({ id, ref, source, alsoAt }) => ({
      ...source,
      id,
      ref,
      words: 0,
      ...(alsoAt.length === 0 ? {} : { also_at: alsoAt }),
      ...factsOf.get(id),
    })),
    failures: corpus.failures,
  };
}
