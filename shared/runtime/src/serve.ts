import {
  advance,
  type Capability,
  capabilitiesOf,
  type InputOf,
  isProofroomError,
  type ServiceName,
} from "@proofroom/contracts";
import {
  type Delivery,
  type Producer,
  type RunningWorker,
  startWorker,
  WaitForChildren,
  type WorkerOptions,
} from "@proofroom/queue";
import type { JobMetrics } from "@proofroom/telemetry";
import { requestAdvance } from "./control/request-advance.ts";
import { type AnyHandler, type ExecuteDeps, executeStep } from "./execute-step.ts";
import type { Handlers } from "./handler.ts";
import { openLedger } from "./ledger.ts";
import { orAborted } from "./or-aborted.ts";

export interface ServeDeps extends ExecuteDeps {
  connection: WorkerOptions["connection"];
  producer: Producer;
  /** How long a worker that fell silent keeps its jobs, in milliseconds. */
  lockMs?: number | undefined;
  metrics?: JobMetrics | undefined;
}

/** The id names the step that ended. */
function advanceAfter(deps: ServeDeps, { job }: Delivery): Promise<void> {
  return requestAdvance(deps.producer, job.run_id, { id: job.step_id, generation: job.generation });
}

/** A step that waits, is tried again or was interrupted has not ended. */
function startsAdvance(error: unknown, delivery: Delivery): boolean {
  if (error instanceof WaitForChildren) return false;
  if (isProofroomError(error) && error.disposition.kind === "wait") return false;
  if (isProofroomError(error) && (error.code === "cancelled" || error.disposition.kind === "fail"))
    return error.disposition.kind === "fail";
  return delivery.lastAttempt;
}

async function isRecorded(deps: ServeDeps, { job }: Delivery): Promise<boolean> {
  const step = { stepId: job.step_id, generation: job.generation };
  return (await openLedger(deps.store, job.run_id).failure(step)) !== null;
}

/** Opens one worker for each capability of the service. The workers are the caller's to close. */
export function serve<Service extends Exclude<ServiceName, "orchestrator">>(
  service: Service,
  handlers: Handlers<Service>,
  deps: ServeDeps,
): RunningWorker[] {
  return capabilitiesOf(service).map((capability: Capability) => {
    const handler = (handlers as Readonly<Record<string, AnyHandler>>)[capability.name] as AnyHandler;
    return startWorker({
      connection: deps.connection,
      capability,
      lockMs: deps.lockMs,
      log: deps.log,
      metrics: deps.metrics,
      async process(delivery) {
        const isChild = delivery.job.parent !== undefined;
        try {
          const answer = await executeStep(deps, capability, handler, delivery);
          // Before the job counts as done: a worker that dies in between leaves a job that will be run again.
          if (!isChild) await advanceAfter(deps, delivery);
          return answer;
        } catch (error) {
          // A failure that could not even be recorded is the sweeper's: submitted again at once, it would never rest.
          if (!isChild && startsAdvance(error, delivery) && (await isRecorded(deps, delivery))) {
            await advanceAfter(deps, delivery);
          }
          throw error;
        }
      },
    });
  });
}

/** Serves the orchestrator's queue: `walk` looks at one run and moves it on. It leaves no record; it is repeatable. */
export function serveAdvance(
  deps: Pick<ServeDeps, "connection" | "log" | "lockMs" | "metrics">,
  walk: (runId: string, input: InputOf<typeof advance>, signal: AbortSignal) => Promise<void>,
): RunningWorker {
  return startWorker({
    connection: deps.connection,
    capability: advance,
    lockMs: deps.lockMs,
    log: deps.log,
    metrics: deps.metrics,
    async process(delivery) {
      const timeout = AbortSignal.timeout(advance.policy.timeoutMs);
      const signal = AbortSignal.any([delivery.signal, timeout]);
      const input = advance.input.parse(delivery.job.input ?? {});
      await orAborted(walk(delivery.job.run_id, input, signal), signal, advance);
      return { run: delivery.job.run_id };
    },
  });
}
