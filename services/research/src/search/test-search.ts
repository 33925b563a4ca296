import { createProviders, type Providers } from "./open-providers.ts";
import type { SearchSettings } from "./search-settings.ts";
import type { Wait } from "./wait.ts";

/** When searches of tests take place. */
export const searchedAt = new Date("2026-03-01T12:00:00.000Z");

/** Providers that are all at one address, with keys, for tests. */
export function providersAt(
  base: string,
  options: { settings?: Partial<SearchSettings>; wait?: Wait; timeoutMs?: number; key?: string } = {},
): Providers {
  const apiKey = { reveal: () => options.key ?? "test-key" };
  const settings: SearchSettings = {
    tavily: { apiKey, baseUrl: base },
    searxng: { baseUrl: base },
    perplexity: { apiKey, baseUrl: base },
    arxiv: { baseUrl: base },
    wikipedia: { baseUrl: base, language: undefined },
    ...options.settings,
  };
  return createProviders(settings, {
    now: () => searchedAt,
    wait: options.wait ?? (async (_ms, signal) => signal?.throwIfAborted()),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
}
