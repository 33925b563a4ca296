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

/** One address with its redirects, from this machine. @throws ProofroomError as fetchBytes and Robots.assertAllowed */
export function fetchHere(url: string, dispatcher: Dispatcher, options: FetchHereOptions): Promise<Fetched> {
  const { hosts, comesBack, robots, signal, now, timeoutMs = defaultTimeoutMs } = options;
  return fetchBytes(url, {
    dispatcher,
    hosts,
    comesBack,
    signal,
    now,
    timeoutMs,
    ...(robots === undefined ? {} : { mayFetch: (hop: URL) => robots.assertAllowed(hop, signal) }),
  });
}
