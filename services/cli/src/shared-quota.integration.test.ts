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

/** What the models file says that the provider allows, and in which time; milliseconds. */
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

/** A hundred questions of eight workers in two processes to a provider that takes so many in any window; none of them fails. */
async function askedOf(allowed: number): Promise<{ answered: number; refused: number }> {
  const taken: number[] = [];
  let refused = 0;
  const fake = await startFakeProvider(() => {
    const now = performance.now();
    if (taken.filter((at) => now - at < windowMs).length < allowed) {
      taken.push(now);
      return { body: geminiBody("yes") };
    }
    refused += 1;
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
    return { answered: taken.length, refused };
  } finally {
    await Promise.all([fake.close(), redis.close(), folder.close()]);
  }
}

it("eight workers in two processes never send a provider more than its limit in any window, and none fails", async () => {
  expect(await askedOf(limit)).toEqual({ answered: 100, refused: 0 });
});

it("where a provider takes fewer than its limit says, what it refuses is asked again when it says, and none fails", async () => {
  const { answered, refused } = await askedOf(limit - 10);
  expect(answered).toBe(100);
  expect(refused).toBeGreaterThan(0);
});
