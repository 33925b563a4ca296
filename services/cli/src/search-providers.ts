import type { Settings } from "./settings.ts";

/** Settings of which one is enough to search the web. */
export const searchSettings = ["TAVILY_API_KEY", "SEARXNG_BASE_URL", "PERPLEXITY_API_KEY"] as const;

/** Whether the web can be searched. */
export function hasSearchProvider({ given }: Pick<Settings, "given">): boolean {
  return searchSettings.some((name) => given.has(name));
}
