import { setTimeout as pause } from "node:timers/promises";
import { openBareJobs } from "./bare-jobs.ts";
import { callsBetween, parseCommandStats } from "./command-counts.ts";
import type { Measure } from "./measurement.ts";
import { openNoOpRuntime, sixSteps } from "./no-op-runtime.ts";
import { alternate } from "./rounds.ts";
import { median, pairedRatio } from "./statistics.ts";

/** After the last step has ended, its jobs are marked as done; that is over by then, in milliseconds. */
const settle = 50;

/**
 * What Redis is asked for while six steps that do nothing follow each other, each submitted by the orchestrator's job after the
 * one before. The base is six jobs of BullMQ in six queues, each added by the one before. Commands that a script calls count too.
 */
export const measureRedisCommands: Measure = async ({ signal }) => {
  const runtime = await openNoOpRuntime();
  const bare = openBareJobs(runtime, sixSteps.length);
  const counts = async () => parseCommandStats(await runtime.connection.info("commandstats"));
  let generation = 0;

  /** Calls `next` with 1, 2, …, each time it has led to a call of the listener, until it answers false. */
  async function counted(
    listen: (asked: () => Promise<void>) => void,
    next: (step: number) => Promise<unknown> | undefined,
  ) {
    const through = Promise.withResolvers<void>();
    let step = 0;
    listen(async () => {
      step += 1;
      const submitted = next(step);
      if (submitted === undefined) through.resolve();
      else await submitted;
    });
    const before = await counts();
    await next(0);
    await through.promise;
    await pause(settle, undefined, { signal });
    return callsBetween(before, await counts());
  }

  try {
    const calls = await alternate(
      {
        runtime: () => {
          generation += 1;
          const own = generation;
          return counted(
            (asked) => runtime.whenAsked(asked),
            (step) => {
              const capability = sixSteps[step];
              return capability && runtime.submit(capability, own);
            },
          );
        },
        bare: () =>
          counted(
            (asked) => bare.whenTaken(asked),
            (step) => (step < sixSteps.length ? bare.add(step) : undefined),
          ),
      },
      { rounds: 25, warmUp: 3, signal },
    );
    const row = (what: string, of: "evalsha" | "all") => {
      const runtimes = calls.runtime.map((one) => one[of]);
      const bares = calls.bare.map((one) => one[of]);
      return {
        what,
        value: median(runtimes),
        unit: "calls",
        base: { what: "six chained BullMQ jobs", value: median(bares) },
        ratio: pairedRatio(runtimes, bares),
      };
    };
    return [
      { ...row("evalsha of six steps", "evalsha"), target: { atMost: 40 } },
      row("all commands of six steps, those in scripts too", "all"),
    ];
  } finally {
    await bare.close();
    await runtime.close();
  }
};
