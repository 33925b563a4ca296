import { ProofroomError } from "@proofroom/contracts";
import { createTurns, type Turns } from "../../search/turns.ts";
import type { Wait } from "../../search/wait.ts";
import { type Appointments, createAppointments } from "./appointments.ts";

/**
 * How this process spares the hosts that it fetches from: two requests to one host at a time, in the order in which they
 * came, and none while it asks for a pause. A host that has asked for one is sent one request at a time for a while.
 */
export interface HostTurns {
  /**
   * @throws the signal's reason while the turn has not come, or what the exchange throws; ProofroomError quota, to wait,
   *   where whoever asks comes back later and others wait for the host already, or it has asked for a pause
   */
  take<T>(url: URL, exchange: () => Promise<T>, visitor: HostVisitor): Promise<T>;
  /** What a host asks for that has too much to do, in milliseconds; a moment where it names no time. */
  pause(url: URL, ms: number | null): void;
}

export interface HostVisitor {
  signal: AbortSignal;
  /** Whether it comes back later rather than wait in line: a worker must not be taken up by those who wait for one host. */
  comesBack?: boolean | undefined;
}

interface Host {
  turns: Turns;
  /** Of those who come back. */
  appointments: Appointments;
  /** Exchanges under way, and those that wait for their turn. */
  users: number;
  pausedUntil: number;
  sparedUntil: number;
}

const atOnce = 2;
const shortestPauseMs = 1_000;
const longestPauseMs = 60_000;
/** How long after its pause a host is sent one request at a time, in milliseconds. */
const sparedMs = 300_000;
/** Whoever finds a line comes back after so long at the earliest, and so long after the one before; milliseconds. */
const comeBackMs = 1_000;
const apartMs = 500;

export function createHostTurns({ now, wait }: { now: () => Date; wait: Wait }): HostTurns {
  const hosts = new Map<string, Host>();
  const time = () => now().getTime();

  function hostOf({ host: name }: URL): Host {
    const known = hosts.get(name);
    if (known !== undefined) return known;
    forget();
    const host: Host = {
      turns: createTurns({ wait, atOnce: () => (time() < host.sparedUntil ? 1 : atOnce) }),
      appointments: createAppointments(time),
      users: 0,
      pausedUntil: 0,
      sparedUntil: 0,
    };
    hosts.set(name, host);
    return host;
  }

  /** What nobody uses and nothing is known of. */
  function forget(): void {
    for (const [name, { users, sparedUntil }] of hosts) {
      if (users === 0 && sparedUntil <= time()) hosts.delete(name);
    }
  }

  async function pauseOver(host: Host, signal: AbortSignal): Promise<void> {
    for (let ms = host.pausedUntil - time(); ms > 0; ms = host.pausedUntil - time()) await wait(ms, signal);
  }

  return {
    async take(url, exchange, { signal, comesBack = false }) {
      const host = hostOf(url);
      const pauseMs = Math.max(0, host.pausedUntil - time());
      if (comesBack && (pauseMs > 0 || host.turns.waiting > 0)) {
        const spared = time() < host.sparedUntil;
        throw comeBack(host.appointments.next(pauseMs + comeBackMs, spared ? 2 * apartMs : apartMs));
      }
      const inTurn = async () => {
        await pauseOver(host, signal);
        signal.throwIfAborted();
        return exchange();
      };
      host.users += 1;
      try {
        return await host.turns.take(inTurn, signal);
      } finally {
        host.users -= 1;
      }
    },
    pause(url, ms) {
      const host = hostOf(url);
      const length = Math.min(Math.max(ms ?? 0, shortestPauseMs), longestPauseMs);
      host.pausedUntil = Math.max(host.pausedUntil, time() + length);
      host.sparedUntil = host.pausedUntil + sparedMs;
    },
  };
}

/** What sends a job back into the queue until its host has room for it, in so many milliseconds. */
export function comeBack(ms: number): ProofroomError {
  return new ProofroomError({
    code: "quota",
    message: "Other pages of this host come first.",
    disposition: { kind: "wait", delayMs: ms },
  });
}
