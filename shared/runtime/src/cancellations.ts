import { ProofroomError } from "@proofroom/contracts";
import type { CancelBus } from "@proofroom/queue";

/** The cancel signals of the runs that this process works on. */
export interface Cancellations {
  /** Runs the work with a signal that aborts when the run is cancelled. */
  during<T>(runId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/**
 * @param isCancelled asks the ledger about a run; used when the bus was away, since word of a cancel may have been
 *   missed then
 */
export function createCancellations(
  bus: Pick<CancelBus, "onCancel" | "onGap">,
  isCancelled?: (runId: string) => Promise<boolean>,
): Cancellations {
  const active = new Map<string, Set<AbortController>>();

  function abort(runId: string): void {
    for (const controller of active.get(runId) ?? []) {
      controller.abort(new ProofroomError({ code: "cancelled", message: "The run was cancelled." }));
    }
  }

  bus.onCancel(abort);
  bus.onGap(() => {
    for (const runId of active.keys()) {
      isCancelled?.(runId).then(
        (cancelled) => cancelled && abort(runId),
        () => undefined,
      );
    }
  });
  return {
    async during(runId, work) {
      const controller = new AbortController();
      const controllers = active.get(runId) ?? new Set();
      active.set(runId, controllers.add(controller));
      try {
        return await work(controller.signal);
      } finally {
        controllers.delete(controller);
        if (controllers.size === 0) active.delete(runId);
      }
    },
  };
}
