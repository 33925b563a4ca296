import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createFsStore } from "../../../shared/artifacts/src/index.ts";
import { ingestVideo } from "../../../shared/contracts/src/index.ts";
import { connect, createProducer, disconnect } from "../../../shared/queue/src/index.ts";
import { submitStep } from "../../../shared/runtime/src/index.ts";
import { silentLogger } from "../../../shared/telemetry/src/index.ts";
import {
  createTestRun,
  type FakeProvider,
  geminiBody,
  startFakeProvider,
  startTestRedis,
} from "../../../shared/testing/src/index.ts";
import { type Program, startProgram } from "../gateways/start-program.ts";
import type { Measure } from "../measurement.ts";
import { inTempHome } from "../temp-home.ts";
import { unlimitedModels } from "./unlimited-models.ts";

/** Worker processes, of which each has so many jobs at a time; the provider takes a second for each. */
const processCounts = [1, 2, 4, 8];
const jobsEach = 2;
const providerMs = 1_000;

/** What so many processes must do of so many times the work of one. */
const shareOfLinear = 0.9;

/** How many jobs each place of a process does, one after another: what begins and ends counts the less the more they are. */
const rounds = (seconds: number) => Math.max(3, Math.round(seconds / processCounts.length));

const talk = [
  "Status: ok",
  "Title: A talk",
  "Duration: 1:00",
  "",
  "[0:00] Clients wait.",
  "[0:30] Then they ask.",
];

/**
 * Jobs in a second that 1, 2, 4 and 8 processes of the research service do whose provider takes a second for each: videos that a model
 * transcribes, submitted at once, until the last is done.
 */
export const measureScaling: Measure = ({ root, signal, seconds }) =>
  inTempHome(async (home) => {
    const body = geminiBody(talk.join("\n"));
    const provider = await startFakeProvider(() => ({ body, after: pause(providerMs) }));
    try {
      const rates: number[] = [];
      for (const [nth, processes] of processCounts.entries()) {
        const place = { root, home: join(home, String(nth)), provider, signal };
        rates.push(await jobsInSecond(place, processes, rounds(seconds)));
      }
      const [one = Number.NaN] = rates;
      return processCounts.map((processes, at) => ({
        what: processes === 1 ? "one worker process" : `${processes} worker processes, of linear`,
        value: processes === 1 ? one : (rates[at] ?? Number.NaN) / one / processes,
        unit: processes === 1 ? "jobs/s" : "",
        detail: `${(rates[at] ?? Number.NaN).toFixed(2)} jobs/s, ${processes * jobsEach} at a time`,
        ...(processes === 1 ? {} : { target: { atLeast: shareOfLinear } }),
      }));
    } finally {
      await provider.close();
    }
  });

async function jobsInSecond(
  place: { root: string; home: string; provider: FakeProvider; signal: AbortSignal },
  processes: number,
  each: number,
): Promise<number> {
  const { root, home, provider, signal } = place;
  const redis = await startTestRedis();
  const storeRoot = join(home, "store");
  const store = createFsStore({ root: storeRoot });
  const connection = connect({ url: redis.url, role: "producer", log: silentLogger() });
  const producer = createProducer(connection);
  const programs: Program[] = [];
  try {
    const models = await unlimitedModels(root, home);
    const env = {
      HOME: home,
      PROOFROOM_HOME: home,
      PROOFROOM_STORE: `file:${storeRoot}`,
      PROOFROOM_MODELS: models,
      PROOFROOM_QUEUES: ingestVideo.name,
      PROOFROOM_CONCURRENCY: String(jobsEach),
      PROOFROOM_HEALTH_PORT: "0",
      REDIS_URL: redis.url,
      GEMINI_API_KEY: "bench",
      GEMINI_BASE_URL: provider.base,
    };
    const main = join(root, "services/research/src/main.ts");
    while (programs.length < processes)
      programs.push(await startProgram({ main, env, ready: /"serving"/, signal }));
    const runId = await createTestRun(store);
    const submit = (url: string) =>
      submitStep({ store, producer }, runId, { capability: ingestVideo, input: { url }, generation: 1 });
    // The first jobs of a process load what it needs.
    await untilDone(submit, videos("warm", processes * jobsEach), connection, signal);
    const measured = videos("work", processes * jobsEach * each);
    const start = performance.now();
    await untilDone(submit, measured, connection, signal);
    return (measured.length * 1_000) / (performance.now() - start);
  } finally {
    for (const program of programs) await program.close();
    await producer.close();
    await disconnect(connection);
    await redis.close();
  }
}

/** Addresses of so many videos; their ids have eleven characters. */
function videos(word: string, count: number): string[] {
  return Array.from(
    { length: count },
    (_, n) => `https://youtu.be/${word}${String(n).padStart(11 - word.length, "0")}`,
  );
}

async function untilDone(
  submit: (url: string) => Promise<unknown>,
  urls: readonly string[],
  connection: ReturnType<typeof connect>,
  signal: AbortSignal,
): Promise<void> {
  const finished = () => connection.zcard(`{proofroom}:${ingestVideo.name}:completed`);
  const failed = () => connection.zcard(`{proofroom}:${ingestVideo.name}:failed`);
  const before = await finished();
  await Promise.all(urls.map(submit));
  while ((await finished()) < before + urls.length) {
    if ((await failed()) > 0) throw new Error("a job has failed");
    await pause(10, undefined, { signal });
  }
}
