import { setTimeout as pause } from "node:timers/promises";
import type { ObjectStore } from "@proofroom/artifacts";
import { type Outcome, ProofroomError } from "@proofroom/contracts";
import { openLedger } from "@proofroom/runtime/records";
import type { ProgressView } from "../output/progress.ts";
import type { Host } from "./open-host.ts";

export interface FollowOptions {
  store: ObjectStore;
  host: Host;
  runId: string;
  view: ProgressView;
  signal: AbortSignal;
  /** What goes on with the run, told to whoever interrupts it. */
  resumedBy: string;
  /** Sets the run in motion, once somebody watches. */
  start(): Promise<unknown>;
}

/** How often the ledger is asked whether the run has ended, in milliseconds: events may get lost with Redis. */
const askEvery = 200;

async function outcomeOf(options: FollowOptions, signal: AbortSignal): Promise<Outcome> {
  for (;;) {
    const ledger = openLedger(options.store, options.runId);
    const outcome = await ledger.outcome();
    if (outcome !== null) return outcome;
    if (await ledger.isRemoved())
      throw new ProofroomError({
        code: "conflict",
        message: `The run ${options.runId} was removed while it was at work.`,
      });
    await pause(askEvery, undefined, { signal });
  }
}

async function showEvents(options: FollowOptions, after: string, signal: AbortSignal): Promise<void> {
  const ledger = openLedger(options.store, options.runId);
  for await (const event of options.host.orchestrator.events.follow(options.runId, after, signal)) {
    const generation = event.type === "step.finished" ? await newestGeneration(options, event.step ?? "") : 0;
    const record = generation === 0 ? null : await ledger.record({ stepId: event.step ?? "", generation });
    options.view.show(event, record);
    if (event.type === "run.finished") return;
  }
}

async function newestGeneration(options: FollowOptions, stepId: string): Promise<number> {
  return (await openLedger(options.store, options.runId).load()).steps.get(stepId)?.generation ?? 0;
}

/**
 * Starts a run (again) and shows what happens until it ends.
 * @throws ProofroomError cancelled when the signal aborts, conflict when somebody removes it, dependency_down when Redis stays away
 */
export async function followRun(options: FollowOptions): Promise<Outcome> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, options.signal]);
  const interrupted = new Promise<never>((_resolve, reject) => {
    const fail = () =>
      reject(
        new ProofroomError({
          code: "cancelled",
          message: "Interrupted.",
          remedy: `${options.resumedBy} goes on where it stopped.`,
        }),
      );
    if (options.signal.aborted) fail();
    else options.signal.addEventListener("abort", fail, { once: true });
  });
  interrupted.catch(() => undefined);
  let shown: Promise<void> | undefined;
  try {
    const after = await Promise.race([
      options.host.orchestrator.events.position(options.runId),
      interrupted,
      options.host.lost,
    ]);
    shown = showEvents(options, after, signal).catch(() => undefined);
    const outcome = await Promise.race([
      options.start().then(() => outcomeOf(options, signal)),
      interrupted,
      options.host.lost,
    ]);
    // The last events are on their way: the outcome stands in the ledger before it is told.
    await Promise.race([shown, pause(500, undefined, { signal }).catch(() => undefined)]);
    return outcome;
  } finally {
    stop.abort();
    await shown;
    options.view.close();
  }
}
