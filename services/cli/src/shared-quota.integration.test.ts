import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  geminiBody,
  geminiLimit,
  makeTempFolder,
  startFakeProvider,
  startTestRedis,
} from "@proofroom/testing";
import { expect, it } from "vitest";

const run = promisify(execFile);

/** What the provider allows, and in which time; milliseconds. */
const limit = 30;
const windowMs = 2_000;

const models = `
endpoints:
  google: { api: gemini, base_url_setting: GEMINI_BASE_URL, key_setting: GEMINI_API_KEY }
models:
  only:
    endpoint: google
    model: m
    context: 100000
    output: 1000
    video: true
    price: { input: 1, output: 1 }
    limits: { requests_per_minute: ${limit} }
roles:
  transcriber: [only]
  planner: [only]
  drafter: [only]
  critic: [only]
  repairer: [only]
  cleaner: [only]
  selector: [only]
`;

it("eight workers in two processes never send a provider more than its limit in any window, and none fails", async () => {
  const arrivals: number[] = [];
  const refused: number[] = [];
  const fake = await startFakeProvider(() => {
    const now = performance.now();
    const within = arrivals.filter((at) => now - at < windowMs).length;
    arrivals.push(now);
    if (within < limit) return { body: geminiBody("yes") };
    refused.push(now);
    return geminiLimit("PerMinute", 1);
  });
  const [redis, folder] = await Promise.all([startTestRedis(), makeTempFolder()]);
  try {
    const program = fileURLToPath(new URL("testing/asking-process.ts", import.meta.url));
    const process_ = (name: string) => {
      const questions = Array.from({ length: 50 }, (_, n) => `${name} ${n}`);
      const settings = {
        redisUrl: redis.url,
        base: fake.base,
        root: folder.path,
        models,
        windowMs,
        workers: 4,
        questions,
      };
      return run(process.execPath, [program, JSON.stringify(settings)]);
    };
    await Promise.all([process_("a"), process_("b")]);
    expect(refused).toEqual([]);
    expect(arrivals).toHaveLength(100);
  } finally {
    await Promise.all([fake.close(), redis.close(), folder.close()]);
  }
});
