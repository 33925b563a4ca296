import { toProofroomError } from "@proofroom/contracts";
import type { ControlDeps } from "@proofroom/runtime";
import type { Logger } from "@proofroom/telemetry";
import { advanceRun } from "./advance-run.ts";

export interface SweeperOptions extends ControlDeps {
  /** The runs to look after: `listMovingRuns` for those of a whole store. */
  runs(signal: AbortSignal): AsyncIterable<string>;
  intervalMs: number;
  log: Logger;
}

/** How long a round may take to end when the sweeper is stopped, in milliseconds: one that waits for Redis may not. */
const stopGrace = 2_000;

/**
 * Looks at every run from time to time and moves on those that nobody moves: after Redis lost its data, a worker
 * died between a step and its advance, or a message got lost. Answers a function that ends it.
 */
export function startSweeper(options: SweeperOptions): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let round = Promise.resolve();

  async function sweep(): Promise<void> {
    for await (const runId of options.runs(signal)) {
      try {
        await advanceRun(options, runId, {}, signal);
      } catch (error) {
        signal.throwIfAborted();
        options.log.warn({ run_id: runId, code: toProofroomError(error).code }, "sweep failed");
      }
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      round = sweep()
        .catch((error: unknown) => {
          if (!signal.aborted) options.log.warn({ code: toProofroomError(error).code }, "sweep failed");
        })
        .finally(() => {
          if (!signal.aborted) schedule();
        });
    }, options.intervalMs);
  }

  schedule();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    let late: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      late = setTimeout(resolve, stopGrace);
    });
    await Promise.race([round, grace]);
    clearTimeout(late);
  };
}
