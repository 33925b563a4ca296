/** `starting`: nothing heard of Redis since the connection was made. `silent`: connected, but its loop does not turn. */
export type WorkerState = "ready" | "starting" | "silent" | "disconnected" | "paused" | "closing";

export interface WorkerHealth {
  state: WorkerState;
  /** Since when nothing was heard of Redis, or the connection was lost; milliseconds. */
  silentMs: number;
}

/**
 * An idle worker asks for jobs every five seconds, or ten where one is delayed; a busy one renews its locks in less. One that
 * has not for longer takes no jobs, whatever its connection says of itself; milliseconds.
 */
const patienceMs = 12_000;

/** Tells from what a worker really does whether it takes jobs. */
export interface WorkerPulse {
  /** Redis has answered it. */
  beat(): void;
  /** Its connection was lost, or could not be made. */
  lose(): void;
  health(now: { closing: boolean; paused: boolean; connected: boolean }): WorkerHealth;
}

/** @param clock milliseconds that only rise */
export function createWorkerPulse(clock: () => number): WorkerPulse {
  let since = clock();
  let heard = false;
  return {
    beat() {
      since = clock();
      heard = true;
    },
    lose() {
      since = clock();
      heard = false;
    },
    health({ closing, paused, connected }) {
      const silentMs = clock() - since;
      const state = (): WorkerState => {
        if (closing) return "closing";
        if (paused) return "paused";
        if (!connected) return "disconnected";
        if (!heard) return "starting";
        return silentMs > patienceMs ? "silent" : "ready";
      };
      return { state: state(), silentMs };
    },
  };
}
