import { setTimeout as pause } from "node:timers/promises";
import { verifyCitations } from "../../shared/contracts/src/index.ts";
import { openBareJobs } from "./bare-jobs.ts";
import type { Measure } from "./measurement.ts";
import { openNoOpRuntime } from "./no-op-runtime.ts";
import { alternate, elapsedMs } from "./rounds.ts";
import { median, pairedRatio } from "./statistics.ts";

/** What a job leaves to do after the moment that is measured is over by then, in milliseconds. */
const settle = 15;

/**
 * From submitting a step that does nothing until the orchestrator is asked what comes next: queue, worker, ledger, events and the
 * second queue. The base is one job of BullMQ from `add` until its worker has it.
 */
export const measureStepOverhead: Measure = async ({ signal }) => {
  const runtime = await openNoOpRuntime();
  const bare = openBareJobs(runtime, 1);
  let generation = 0;
  try {
    const times = await alternate(
      {
        step: async () => {
          const asked = Promise.withResolvers<void>();
          runtime.whenAsked(async () => asked.resolve());
          generation += 1;
          const time = await elapsedMs(async () => {
            await runtime.submit(verifyCitations, generation);
            await asked.promise;
          });
          await pause(settle, undefined, { signal });
          return time;
        },
        job: async () => {
          const taken = Promise.withResolvers<void>();
          bare.whenTaken(async () => taken.resolve());
          const time = await elapsedMs(async () => {
            await bare.add(0);
            await taken.promise;
          });
          await pause(settle, undefined, { signal });
          return time;
        },
      },
      { rounds: 201, warmUp: 20, signal },
    );
    return [
      {
        what: "step until the next is asked for, median",
        value: median(times.step),
        unit: "ms",
        base: { what: "BullMQ job until taken", value: median(times.job) },
        ratio: pairedRatio(times.step, times.job),
        target: { atMost: 5 },
      },
    ];
  } finally {
    await bare.close();
    await runtime.close();
  }
};
