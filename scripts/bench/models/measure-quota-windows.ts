import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createFsStore } from "../../../shared/artifacts/src/index.ts";
import { criticEvaluateArticle, runOptionsSchema } from "../../../shared/contracts/src/index.ts";
import { connect, createProducer, disconnect } from "../../../shared/queue/src/index.ts";
import { submitStep } from "../../../shared/runtime/src/index.ts";
import { createRun, openLedger } from "../../../shared/runtime/src/records.ts";
import { silentLogger } from "../../../shared/telemetry/src/index.ts";
import {
  geminiBody,
  geminiLimit,
  startFakeProvider,
  startTestRedis,
} from "../../../shared/testing/src/index.ts";
import { type Program, startProgram } from "../gateways/start-program.ts";
import type { Measure } from "../measurement.ts";
import { inTempHome } from "../temp-home.ts";
import { mostWithin } from "./arrivals.ts";

const workerMain = fileURLToPath(new URL("./asking-worker-main.ts", import.meta.url));

const processes = 2;
const workersEach = 4;
const jobs = 100;

/** What the provider allows in a window. */
const limit = 30;

/** How many times as long as it has to take all of it may take. */
const allowance = 1.1;

/** Every now and then it is looked whether the jobs have ended, in milliseconds. */
const lookEvery = 100;

/**
 * Jobs that ask a model once each, by eight workers in two processes, of a provider that allows thirty requests in any window of so
 * many seconds. At best all that are allowed go out as soon as a window begins; how many windows there are is then the whole time.
 */
export const measureQuotaWindows: Measure = ({ signal, seconds }) =>
  inTempHome(async (home) => {
    const windowMs = seconds * 1_000;
    const arrivals: number[] = [];
    let refused = 0;
    const fake = await startFakeProvider(() => {
      const now = performance.now();
      const isFull = arrivals.filter((at) => now - at < windowMs).length >= limit;
      arrivals.push(now);
      if (!isFull) return { body: geminiBody("yes") };
      refused += 1;
      return geminiLimit("PerMinute", 1);
    });
    const redis = await startTestRedis();
    const connection = connect({ url: redis.url, role: "producer", log: silentLogger() });
    const producer = createProducer(connection);
    const programs: Program[] = [];
    try {
      const root = join(home, "store");
      const store = createFsStore({ root });
      const args = [root, redis.url, fake.base, workersEach, limit, windowMs].map(String);
      for (let n = 0; n < processes; n += 1)
        programs.push(await startProgram({ main: workerMain, args, ready: /^serving$/m, signal }));
      const options = runOptionsSchema.parse({});
      const run = {
        title: "A run",
        plan: "write",
        options,
        guideline: "# A run\n",
        author: "person",
      } as const;
      const runs: string[] = [];
      for (let n = 0; n < jobs; n += 1) runs.push(await createRun(store, run));
      const steps = await Promise.all(
        runs.map((runId) =>
          submitStep({ store, producer }, runId, {
            capability: criticEvaluateArticle,
            input: {},
            generation: 1,
          }),
        ),
      );
      let open = steps;
      let failed = 0;
      while (open.length > 0) {
        await pause(lookEvery, undefined, { signal });
        const still: typeof steps = [];
        for (const step of open) {
          const ref = { stepId: step.step_id, generation: step.generation };
          const ledger = openLedger(store, step.run_id);
          if ((await ledger.record(ref)) !== null) continue;
          if ((await ledger.failure(ref)) === null) still.push(step);
          else failed += 1;
        }
        open = still;
      }
      const [first = 0] = arrivals;
      const ideal = (Math.ceil(jobs / limit) - 1) * windowMs;
      const took = (arrivals.at(-1) ?? 0) - first;
      return [
        {
          what: "requests in any window, most",
          value: mostWithin(arrivals, windowMs),
          unit: "requests",
          target: { atMost: limit },
          detail: `of ${jobs} jobs, windows of ${seconds} s`,
        },
        { what: "requests refused", value: refused, unit: "requests", target: { atMost: 0 } },
        { what: "jobs failed", value: failed, unit: "jobs", target: { atMost: 0 } },
        {
          what: "from the first request to the last",
          value: took / 1_000,
          unit: "s",
          base: { what: "the least that the limit allows", value: ideal / 1_000 },
        },
        { what: "in multiples of the least", value: took / ideal, unit: "×", target: { atMost: allowance } },
      ];
    } finally {
      for (const program of programs) await program.close();
      await producer.close();
      await disconnect(connection);
      await redis.close();
      await fake.close();
    }
  });
