import type { InputOf, runWebResearch } from "@proofroom/contracts";

/** One thing that a search found, as the provider tells it. All of it is foreign text. */
export interface SearchResult {
  url: string;
  title: string;
  /** What the provider shows of it; empty where it shows nothing. */
  text: string;
  published?: string;
  author?: string;
  licence?: string;
  /** What the text is not, in words a reader understands. */
  omissions?: readonly string[];
}

interface SearchOptions {
  signal: AbortSignal;
  maxResults: number;
}

/** One search system behind the port that all of them share. */
export interface SearchProvider {
  readonly name: ProviderName;
  /** Longer queries are not taken, in characters. */
  readonly longestQuery: number;
  /**
   * @throws ProofroomError no_evidence where nothing was found; not_configured (the key or the address is wrong);
   *   quota; timeout; unreachable; too_large; invalid_input (the query was refused). What is worth another try has
   *   a disposition that says so. Or the signal's reason.
   */
  search(query: string, options: SearchOptions): Promise<SearchResult[]>;
}

/** The names that the capability offers. */
export type ProviderName = NonNullable<InputOf<typeof runWebResearch>["provider"]>;
