import type { CapabilityName, Failure, Source, SourceKind } from "@proofroom/contracts";

/** The capabilities that gather: what is imported is filed under the one that would have gathered it. */
export const gatherers = [
  "process_local_files",
  "scrape_and_clean_other_urls",
  "process_github_urls",
  "transcribe_youtube_urls",
  "run_web_research",
  "run_perplexity_research",
  "scrape_research_urls",
] as const satisfies readonly CapabilityName[];
export type Gatherer = (typeof gatherers)[number];

/** A text of the folder that may be evidence. */
export interface Candidate {
  gatherer: Gatherer;
  kind: SourceKind;
  /** Where it stands in the folder. */
  path: string;
  /** Its file name without the extension, or what stands for it. */
  stem: string;
  text: string;
  /** Of the stored bytes. */
  original: { sha256: string; bytes: number };
  /** Its address and title where the format itself says them. */
  url?: string;
  title?: string;
  /** Set where the format leaves open whether the text is what it says it is. */
  isDoubtful?: true;
}

export interface ImportedFailure {
  gatherer: Gatherer;
  failure: Failure;
}

/** What a folder gave: sources with the artifact that will hold each, and what is no evidence. */
export interface Imported {
  sources: { gatherer: Gatherer; artifact: string; source: Source }[];
  failures: ImportedFailure[];
}
