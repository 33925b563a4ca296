import type { Dispatcher } from "undici";
import { type Fetched, fetchBytes } from "./fetch-bytes.ts";
import type { HostTurns } from "./host-turns.ts";
import type { Robots } from "./robots.ts";

export interface FetchHereOptions {
  signal: AbortSignal;
  now: () => Date;
  /** Every request takes its turn there. */
  hosts: HostTurns;
  /** Whether the caller comes back later rather than wait in line for the host. */
  comesBack?: boolean | undefined;
  /** Of one fetch with its redirects; 20 seconds where nothing else is said. */
  timeoutMs?: number;
  /** Where it is given, fetches are held to the sites' robots.txt. */
  robots?: Robots | undefined;
}

const defaultTimeoutMs = 20_000;

/** Makes a fetch that is counted against the run's budget. @throws ProofroomError budget; what the fetch throws */
export type Counted = <T>(url: string, fetch: () => Promise<T>) => Promise<T>;

/**
 * One address with its redirects, from this machine, counted.
 * @throws ProofroomError budget; as fetchBytes and Robots.assertAllowed
 */
export function fetchCounted(
  url: string,
  dispatcher: Dispatcher,
  options: FetchHereOptions & { counted: Counted },
): Promise<Fetched> {
  const { hosts, comesBack, robots, signal, now, counted, timeoutMs = defaultTimeoutMs } = options;
  const fetch = () =>
    fetchBytes(url, {
      dispatcher,
      hosts,
      comesBack,
      signal,
      now,
      timeoutMs,
      ...(robots === undefined ? {} : { mayFetch: (hop: URL) => robots.assertAllowed(hop, signal) }),
    });
  return counted(url, fetch);
}
