import type { InputOf, runWebResearch } from "@proofroom/contracts";
import { z } from "zod";

/** One thing that a search found, as the provider tells it. All of it is foreign text. */
export const searchResultSchema = z.object({
  url: z.string(),
  title: z.string(),
  /** What the provider shows of it; empty where it shows nothing. */
  text: z.string(),
  published: z.string().exactOptional(),
  author: z.string().exactOptional(),
  licence: z.string().exactOptional(),
  /** What the text is not, in words a reader understands. */
  omissions: z.array(z.string()).exactOptional(),
});
export type SearchResult = z.output<typeof searchResultSchema>;

interface SearchOptions {
  signal: AbortSignal;
  maxResults: number;
  /** Told what the provider says that the search cost, in US dollars, where it says so. */
  costs?: (usd: number) => void;
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
