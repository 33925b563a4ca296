import { ProofroomError } from "@proofroom/contracts";
import type { CancelBus } from "@proofroom/queue";
import { authorOf } from "./canonical.ts";
import type { StepRef } from "./ledger-keys.ts";

/** One execution: of a step of a run, at a generation. */
export interface Execution {
  runId: string;
  step: StepRef;
}

/** The cancel signals of the executions of this process. */
export interface Cancellations {
  /** Runs the work with a signal that aborts when its run, its step or the step that fanned it out is cancelled. */
  during<T>(execution: Execution, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** What the bus says of a cancelled job. Of a run it says its id. */
export function cancelWord(runId: string, step: Pick<StepRef, "stepId" | "generation">): string {
  return `${runId} ${authorOf(step.stepId, step.generation)}`;
}

/** Children have their parent's generation. */
function wordsFor({ runId, step }: Execution): string[] {
  const { stepId, generation, parent } = step;
  return [
    runId,
    cancelWord(runId, { stepId, generation }),
    ...(parent === undefined ? [] : [cancelWord(runId, { stepId: parent, generation })]),
  ];
}

/**
 * @param isCancelled asks the ledger about an execution; used when the bus was away, since word of a cancel may have
 *   been missed then
 */
export function createCancellations(
  bus: Pick<CancelBus, "onCancel" | "onGap">,
  isCancelled?: (execution: Execution) => Promise<boolean>,
): Cancellations {
  const active = new Map<AbortController, Execution>();

  function abort(controller: AbortController): void {
    controller.abort(new ProofroomError({ code: "cancelled", message: "It was cancelled." }));
  }

  bus.onCancel((word) => {
    for (const [controller, execution] of active) if (wordsFor(execution).includes(word)) abort(controller);
  });
  bus.onGap(() => {
    for (const [controller, execution] of active) {
      isCancelled?.(execution).then(
        (cancelled) => cancelled && abort(controller),
        () => undefined,
      );
    }
  });
  return {
    async during(execution, work) {
      const controller = new AbortController();
      active.set(controller, execution);
      try {
        return await work(controller.signal);
      } finally {
        active.delete(controller);
      }
    },
  };
}
