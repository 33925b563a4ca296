import type { Wait } from "./wait.ts";

/** Lets work in a few pieces at a time, in the order in which they came, with a pause after each. */
export interface Turns {
  /** @throws the signal's reason while the turn has not come, or what the work throws */
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** How many wait for their turn. */
  readonly waiting: number;
}

interface TurnsOptions {
  wait: Wait;
  /** Between the end of a piece of work and the beginning of the one that takes its place; none where nothing is said. */
  gapMs?: number;
  /** How many pieces there may be at a time, asked whenever one could begin; one where nothing is said. */
  atOnce?: () => number;
}

export function createTurns({ wait, gapMs = 0, atOnce = () => 1 }: TurnsOptions): Turns {
  const line: PromiseWithResolvers<void>[] = [];
  let taken = 0;

  function letIn(): void {
    while (line.length > 0 && taken < atOnce()) {
      taken += 1;
      line.shift()?.resolve();
    }
  }

  function giveBack(): void {
    taken -= 1;
    letIn();
  }

  async function turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const mine = Promise.withResolvers<void>();
    // Whoever was let in already takes the turn, and the work hears of the abort.
    const leave = () => {
      const place = line.indexOf(mine);
      if (place >= 0) line.splice(place, 1);
      mine.reject(signal.reason);
    };
    line.push(mine);
    letIn();
    signal.addEventListener("abort", leave, { once: true });
    await mine.promise.finally(() => signal.removeEventListener("abort", leave));
  }

  return {
    async take(work, signal) {
      await turn(signal);
      try {
        return await work();
      } finally {
        if (gapMs === 0) giveBack();
        else void wait(gapMs).then(giveBack);
      }
    },
    get waiting() {
      return line.length;
    },
  };
}
