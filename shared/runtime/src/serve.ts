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
  type HeldJob,
  type Producer,
  type RunningWorker,
  startWorker,
  type TenantPlaces,
  WaitForChildren,
  type WorkerOptions,
} from "@proofroom/queue";
import type { JobMetrics } from "@proofroom/telemetry";
import { requestAdvance } from "./control/request-advance.ts";
import { type AnyHandler, type ExecuteDeps, executeStep } from "./execute-step.ts";
import type { Handlers } from "./handler.ts";
import { openLedger } from "./ledger.ts";
import { orAborted } from "./or-aborted.ts";
import { RecentlyUsed } from "./recently-used.ts";

/** What of a service's work one process does. */
export interface ServeShare {
  /** The queues that it serves, by capability; all of the service's where nothing is said. */
  queues?: ReadonlySet<string> | undefined;
  /** How many jobs of a capability it has at a time; as the catalog says where nothing is answered. */
  concurrencyOf?(capability: string): number | undefined;
}

export interface ServeDeps extends ExecuteDeps {
  connection: WorkerOptions["connection"];
  producer: Producer;
  /** How long a worker that fell silent keeps its jobs, in milliseconds. */
  lockMs?: number | undefined;
  metrics?: JobMetrics | undefined;
  share?: ServeShare | undefined;
  /** Where each tenant may have so many jobs at work at one time; any number where nothing is said. */
  places?: TenantPlaces | undefined;
}

/** Runs whose tenant is remembered. */
const rememberedRuns = 10_000;

/** Answers whose a run is; that never changes, and a job that waits for a place asks again every second or two. */
function openTenantOf(store: ServeDeps["store"]): (runId: string) => Promise<string> {
  const known = new RecentlyUsed<string, string>(rememberedRuns);
  return async (runId) => {
    const tenant = known.get(runId) ?? (await openLedger(store, runId).manifest()).tenant;
    known.set(runId, tenant);
    return tenant;
  };
}

interface PlaceDeps extends Pick<ServeDeps, "places"> {
  tenantOf(runId: string): Promise<string>;
}

/** Has the job of a tenant wait, without a word in the ledger, while all that tenant's places are taken. */
async function inPlace<T>(
  { places, tenantOf }: PlaceDeps,
  { capability, delivery, held }: { capability: Capability; delivery: Delivery; held: HeldJob },
  work: () => Promise<T>,
): Promise<T> {
  if (places === undefined) return work();
  const entering = tenantOf(delivery.job.run_id).then((tenant) => places.enter(capability, tenant, held));
  const leave = await orAborted(entering, delivery.signal, capability);
  try {
    return await work();
  } finally {
    await leave();
  }
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

/** Opens one worker for each capability of the service that is this process's share. The workers are the caller's to close. */
export function serve<Service extends Exclude<ServiceName, "orchestrator">>(
  service: Service,
  handlers: Handlers<Service>,
  deps: ServeDeps,
): RunningWorker[] {
  const owned = { places: deps.places, tenantOf: openTenantOf(deps.store) };
  const served = capabilitiesOf(service).filter(({ name }) => deps.share?.queues?.has(name) ?? true);
  return served.map((capability: Capability) => {
    const handler = (handlers as Readonly<Record<string, AnyHandler>>)[capability.name] as AnyHandler;
    return startWorker({
      connection: deps.connection,
      capability,
      concurrency: deps.share?.concurrencyOf?.(capability.name),
      lockMs: deps.lockMs,
      log: deps.log,
      metrics: deps.metrics,
      tracing: deps.tracing,
      async process(delivery, held) {
        const isChild = delivery.job.parent !== undefined;
        try {
          const answer = await inPlace(owned, { capability, delivery, held }, () =>
            executeStep(deps, capability, handler, delivery),
          );
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
  deps: Pick<ServeDeps, "connection" | "log" | "lockMs" | "metrics" | "share" | "tracing">,
  walk: (runId: string, input: InputOf<typeof advance>, signal: AbortSignal) => Promise<void>,
): RunningWorker {
  return startWorker({
    connection: deps.connection,
    capability: advance,
    concurrency: deps.share?.concurrencyOf?.(advance.name),
    lockMs: deps.lockMs,
    log: deps.log,
    metrics: deps.metrics,
    tracing: deps.tracing,
    async process(delivery) {
      const timeout = AbortSignal.timeout(advance.policy.timeoutMs);
      const signal = AbortSignal.any([delivery.signal, timeout]);
      const input = advance.input.parse(delivery.job.input ?? {});
      await orAborted(walk(delivery.job.run_id, input, signal), signal, advance);
      return { run: delivery.job.run_id };
    },
  });
}
