import type { CallQuota } from "@proofroom/contracts";
import type { Logger, ModelMetrics } from "@proofroom/telemetry";
import { costOf } from "./cost.ts";
import type { ModelEntry } from "./models-file.ts";
import type { Obstacles } from "./obstacles.ts";
import { CallError, type CallFault, type Provider } from "./provider.ts";
import { type Asker, keyOf, type RecordedReply, type Recordings } from "./recordings.ts";
import { type ModelRequest, tokensOf, usageOf } from "./request.ts";
import type { Role } from "./roles.ts";

/** A model that can be called. */
export interface Candidate {
  entry: ModelEntry;
  provider: Provider;
  /** What the provider calls the model. */
  model: string;
}

/** On whose behalf a model is called. */
interface Caller {
  asker: Asker;
  role: Role;
  signal: AbortSignal;
}

export interface ModelCallsOptions {
  quota: CallQuota;
  recordings: Recordings;
  log: Logger;
  metrics?: ModelMetrics | undefined;
}

/** Calls of models, within their limits, recorded and counted. What stands in the way of one is noted among the obstacles. */
export interface ModelCalls {
  /**
   * One call: reserved before, settled after. Null where the model is at its limits.
   * @throws CallError; what keeping the limits and the recording throws; the signal's reason
   */
  make(
    candidate: Candidate,
    caller: Caller,
    request: ModelRequest,
    obstacles: Obstacles,
  ): Promise<RecordedReply | null>;
  /** Has room kept where one of the calls that were crowded out is to be made soonest. */
  lineUp(obstacles: Obstacles): Promise<void>;
  /** Notes that a call failed, and has the model left alone where that helps. */
  note(candidate: Candidate, error: CallError, obstacles: Obstacles): Promise<void>;
}

/** How long a model is left alone that said nothing of when to come back, in milliseconds. */
const cooling = { rate: 20_000, busy: 5_000, day: 3_600_000 } as const;

/** Nor is it left alone for longer than this, whatever it said. */
const longestCoolingMs = 24 * 3_600_000;

/** Failures before which the model may have done its work. */
const mayBeCounted: ReadonlySet<CallFault> = new Set(["timeout", "garbled"]);

function waitNoLongerThan(obstacles: Obstacles, waitMs: number): void {
  obstacles.waitMs = Math.min(obstacles.waitMs ?? Number.POSITIVE_INFINITY, waitMs);
}

export function createModelCalls({ quota, recordings, log, metrics }: ModelCallsOptions): ModelCalls {
  return {
    async make({ entry, provider, model }, { asker, role, signal }, request, obstacles) {
      const tokens = tokensOf(request) + request.maxTokens;
      const waiter = `${asker.runId} ${keyOf(asker, entry.name, request)}`;
      const grant = await quota.reserve(entry.name, entry.limits, tokens, waiter);
      if (!grant.granted) {
        const { waitMs, crowded } = grant;
        waitNoLongerThan(obstacles, waitMs);
        obstacles.limited = true;
        if (crowded) obstacles.crowded.push({ model: entry.name, waiter, tokens, waitMs });
        return null;
      }
      const began = performance.now();
      try {
        const reply = await provider.generate(request, { model, structured: entry.structured, signal });
        const usage = usageOf(request, reply);
        const cost = costOf(entry, usage);
        metrics?.answered({ model: entry.name, role, ...usage, cost });
        const saved = recordings.save(asker, {
          role,
          model: entry.name,
          providerModel: model,
          request,
          reply: { ...reply, usage },
          cost,
          priced: entry.price !== undefined,
          ms: Math.round(performance.now() - began),
        });
        const settled = quota.settle(entry.name, grant.id, usage.inputTokens + usage.outputTokens);
        // Each is done whatever becomes of the other: what is recorded is not asked and paid for again.
        for (const done of await Promise.allSettled([saved, settled]))
          if (done.status === "rejected") throw done.reason;
        return { reply, providerModel: model };
      } catch (error) {
        // What the provider did not count is nobody's debt; what it may have counted stays reserved.
        if (error instanceof CallError && !mayBeCounted.has(error.fault))
          await quota.settle(entry.name, grant.id, 0);
        throw error;
      }
    },
    async lineUp({ crowded }) {
      const [soonest] = crowded.toSorted((one, other) => one.waitMs - other.waitMs);
      if (soonest === undefined) return;
      const { model, ...call } = soonest;
      await quota.lineUp(model, call);
    },
    async note({ entry: { name }, provider: { host } }, { fault, status, retryAfterMs }, obstacles) {
      metrics?.failed({ model: name, fault });
      log.warn({ model: name, fault, status, host, retry_after_ms: retryAfterMs }, "a model did not answer");
      obstacles.faults.push({ model: name, what: fault, status, host });
      if (fault !== "rate" && fault !== "busy" && fault !== "day") return;
      obstacles.limited ||= fault !== "busy";
      const waitMs = Math.min(retryAfterMs ?? cooling[fault], longestCoolingMs);
      await quota.cool(name, waitMs);
      waitNoLongerThan(obstacles, waitMs);
    },
  };
}
