import { createFirecrawl, type Firecrawl } from "../ingest/firecrawl/firecrawl-client.ts";
import type { Wait } from "../search/wait.ts";

const fetchedAt = new Date("2026-03-01T12:00:00.000Z");

const atOnce: Wait = async (_ms, signal) => signal?.throwIfAborted();

interface Options {
  key?: string;
  timeoutMs?: number;
  wait?: Wait;
}

/** A client of the Firecrawl at an address, with a key where one is given; pauses pass at once. */
export function firecrawlAt(
  baseUrl: string,
  { key, timeoutMs = 4_000, wait = atOnce }: Options = {},
): Firecrawl {
  const apiKey = key === undefined ? undefined : { reveal: () => key };
  return createFirecrawl({ apiKey, baseUrl, timeoutMs }, { now: () => fetchedAt, wait });
}
