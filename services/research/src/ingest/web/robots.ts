import { ProofroomError, toProofroomError } from "@proofroom/contracts";
import robotsParser from "robots-parser";
import type { Wait } from "../../search/wait.ts";
import { type Appointments, createAppointments } from "./appointments.ts";
import { fetchBytes, robotsToken } from "./fetch-bytes.ts";
import { comeBack, type HostTurns, type HostVisitor } from "./host-turns.ts";
import { createPublicDispatcher } from "./public-host.ts";
import { refusedByRobots } from "./refused-by-robots.ts";
import { untilAborted } from "./until-aborted.ts";

/** What sites ask of programs that fetch from them (RFC 9309). */
export interface Robots {
  /**
   * @throws ProofroomError refused: the site forbids the page; as fetchBytes where its robots.txt cannot be had, which
   *   counts as forbidden for now (worth a retry); or the signal's reason
   */
  assertAllowed(url: URL, signal: AbortSignal): Promise<void>;
  /**
   * Waits until the pause that the site asks for between two requests of this process is over.
   * @throws ProofroomError quota, to wait, where whoever asks comes back later; or the signal's reason
   */
  pace(url: URL, visitor: HostVisitor): Promise<void>;
}

export interface RobotsDeps {
  /** Private hosts that may be fetched; they are asked like all others. */
  allowHosts: ReadonlySet<string>;
  now: () => Date;
  /** A robots.txt takes its turn as pages do. */
  hosts: HostTurns;
  wait: Wait;
  /** Of one robots.txt with its redirects, in milliseconds. */
  timeoutMs?: number;
}

interface Rules {
  isAllowed(url: string): boolean;
  delayMs: number;
}

interface Site {
  rules: Promise<Rules>;
  until: number;
  /** When the next request may be sent. */
  next: number;
  /** Of those who come back. */
  appointments: Appointments;
}

const keptMs = 3_600_000;
/** So many sites are remembered; the oldest goes first. */
const mostSites = 500;
/** More of a robots.txt is not read, in bytes; what came until then holds (RFC 9309 wants 500 KiB at least). */
const longest = 512 * 1024;
/**
 * Matching a rule with stars takes the product of its length and the address's, so a hostile file could take minutes:
 * longer addresses are judged by their beginning, and no more such rules than these are read, in characters.
 */
const longestAddress = 500;
const longestStarred = 200;
const mostStarred = 1_000;
/** Whoever asks for longer pauses gets these, in milliseconds. */
const longestDelayMs = 10_000;
const anything: Rules = { isAllowed: () => true, delayMs: 0 };

// The package declares itself as if it were compiled from ESM, which it is not: its export is the function itself.
const parseRobots = robotsParser as unknown as typeof robotsParser.default;

/** The rules of the sites that this process has asked; they are kept for an hour. */
export function createRobots({ allowHosts, now, hosts, wait, timeoutMs = 10_000 }: RobotsDeps): Robots {
  const sites = new Map<string, Site>();

  function siteOf(url: URL): Site {
    const known = sites.get(url.origin);
    if (known !== undefined && now().getTime() < known.until) return known;
    sites.delete(url.origin);
    const site = {
      rules: ask(url.origin),
      until: now().getTime() + keptMs,
      next: known?.next ?? 0,
      appointments: known?.appointments ?? createAppointments(() => now().getTime()),
    };
    // A site that could not be asked is asked again.
    site.rules.catch(() => sites.get(url.origin) === site && sites.delete(url.origin));
    sites.set(url.origin, site);
    const [oldest] = sites.keys();
    if (sites.size > mostSites && oldest !== undefined) sites.delete(oldest);
    return site;
  }

  /** Not with the signal of whoever came first: others wait for the same answer. */
  async function ask(origin: string): Promise<Rules> {
    const address = `${origin}/robots.txt`;
    const dispatcher = await createPublicDispatcher({ allowHosts });
    const { signal } = new AbortController();
    try {
      const { bytes } = await fetchBytes(address, {
        dispatcher,
        hosts,
        signal,
        now,
        timeoutMs,
        // One more tells whether it goes on.
        enough: longest + 1,
        accept: "text/plain",
      });
      return rulesOf(address, new TextDecoder().decode(wholeLines(bytes)));
    } catch (thrown) {
      const error = toProofroomError(thrown);
      // No robots.txt, or none for us, forbids nothing; and what is wrong with the site itself its page will say.
      if (error.disposition.kind === "fail") return anything;
      throw unknownRules(error);
    } finally {
      await dispatcher.destroy();
    }
  }

  return {
    async assertAllowed(url, signal) {
      const { isAllowed } = await untilAborted(siteOf(url).rules, signal);
      if (!isAllowed(url.href)) throw refusedByRobots(url.href);
    },
    async pace(url, { signal, comesBack = false }) {
      const site = siteOf(url);
      const { delayMs } = await untilAborted(site.rules, signal);
      const start = Math.max(now().getTime(), site.next);
      const ms = start - now().getTime();
      if (comesBack && ms > 0) throw comeBack(site.appointments.next(ms, delayMs));
      site.next = start + delayMs;
      if (ms > 0) await wait(ms, signal);
    },
  };
}

/** Half a rule may forbid, or allow, all that begins with it. Lines end with CR, LF or both. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= longest) return bytes;
  return bytes.subarray(0, Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d)) + 1);
}

function rulesOf(address: string, text: string): Rules {
  const robots = parseRobots(address, withoutExcess(text));
  const seconds = robots.getCrawlDelay(robotsToken) ?? 0;
  return {
    isAllowed: (url) => robots.isAllowed(url.slice(0, longestAddress), robotsToken) ?? true,
    delayMs: Math.min(Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : 0, longestDelayMs),
  };
}

function withoutExcess(text: string): string {
  let starred = 0;
  return text
    .split(/\r\n?|\n/)
    .filter((line) => {
      if (!/^\s*(?:dis)?allow[^*]*\*/i.test(line)) return true;
      starred += 1;
      return line.length <= longestStarred && starred <= mostStarred;
    })
    .join("\n");
}

function unknownRules(error: ProofroomError): ProofroomError {
  return new ProofroomError({
    code: error.code,
    message: `Whether programs may fetch this page is not known, for the site's robots.txt could not be read: ${error.message}`,
    remedy: "Try again later, or open the page in a browser and give its text as a local file.",
    disposition: error.disposition,
    cause: error,
  });
}
