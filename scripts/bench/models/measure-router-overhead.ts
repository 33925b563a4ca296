import { z } from "zod";
import { createFsStore } from "../../../shared/artifacts/src/index.ts";
import { runOptionsSchema } from "../../../shared/contracts/src/index.ts";
import { type Asker, openModels } from "../../../shared/models/src/index.ts";
import { openBareSdks } from "../../../shared/models/src/testing/bare-sdks.ts";
import { connect, createCallQuota, disconnect } from "../../../shared/queue/src/index.ts";
import { createRun, openModelFacts } from "../../../shared/runtime/src/records.ts";
import { silentLogger } from "../../../shared/telemetry/src/index.ts";
import {
  geminiBody,
  openAiBody,
  startFakeProvider,
  startTestRedis,
} from "../../../shared/testing/src/index.ts";
import type { Measure } from "../measurement.ts";
import { alternate, elapsedMs } from "../rounds.ts";
import { median, pairedRatio } from "../statistics.ts";
import { inTempHome } from "../temp-home.ts";

/** Rounds in a second of the time that is given, and before them: code is compiled as it is used. */
const roundsPerSecond = 5;
const warmUp = 20;

/** About as many calls as a run makes; then the next run begins. Before each call is reckoned what those before it have cost. */
const callsOfRun = 30;

/** What asking by role may take beyond what the SDK takes by itself, in milliseconds. */
const allowance = 3;

/** The window of the limits in milliseconds: so short that it holds about as many calls as providers allow in a minute. */
const windowMs = 250;

/** A question and an answer of the usual length, in characters. */
const question = "What does the source say about how clients wait before they ask again? ".repeat(240);
const answer = JSON.stringify({
  points: Array.from({ length: 20 }, (_, n) => `Point ${n}: ${"so ".repeat(30)}`),
});
const expected = z.object({ points: z.array(z.string()) });
const maxTokens = 4_000;

const key = "key-of-a-bench";

/** Both models are limited, and far from their limits: they are counted, and nothing waits. */
const file = `
endpoints:
  google: { api: gemini, base_url_setting: GEMINI_BASE_URL, key_setting: GEMINI_API_KEY }
  other: { api: openai, base_url_setting: OPENAI_BASE_URL, key_setting: OPENAI_API_KEY }
models:
  google:
    { endpoint: google, model: m, context: 100000, output: 8000, structured: true, video: true, price: { input: 0.0001, output: 0.0001 },
      limits: { requests_per_minute: 1000000, tokens_per_minute: 10000000000, requests_per_day: 10000000 } }
  other:
    { endpoint: other, model: m, context: 100000, output: 8000, structured: true, price: { input: 0.0001, output: 0.0001 },
      limits: { requests_per_minute: 1000000, tokens_per_minute: 10000000000, requests_per_day: 10000000 } }
roles:
  transcriber: [google]
  planner: [google, other, extractive]
  drafter: [google, other, extractive]
  critic: [google, other, extractive]
  repairer: [google, other, extractive]
  cleaner: [google, other, extractive]
  selector: [other, google, extractive]
`;

/**
 * What a question takes that is asked by role, against the same question through the provider's own SDK: looking whether it was answered before,
 * the run's budget, the quota that workers share in Redis, and the record of the answer, which is on the disk before anybody has it.
 * The fake answers at once, so that nothing else is in the time.
 */
export const measureRouterOverhead: Measure = ({ signal, seconds }) =>
  inTempHome(async (root) => {
    const redis = await startTestRedis();
    const fake = await startFakeProvider(({ path }) => ({
      body: path.includes("generateContent") ? geminiBody(answer) : openAiBody(answer),
    }));
    const log = silentLogger();
    const connection = connect({ url: redis.url, role: "worker", log });
    const store = createFsStore({ root });
    const settings: Record<string, string> = {
      GEMINI_API_KEY: key,
      GEMINI_BASE_URL: fake.base,
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: `${fake.base}/v1`,
    };
    try {
      const models = await openModels({
        file: { text: file, name: "models.yaml" },
        setting: (name) => settings[name],
        store,
        quota: createCallQuota(connection, { minuteMs: windowMs }),
        runs: openModelFacts(store),
        log,
        now: () => new Date(),
        keepsText: true,
      });
      const options = runOptionsSchema.parse({ budget_usd: 1_000 });
      const run = {
        title: "A run",
        plan: "write",
        options,
        guideline: "# A run\n",
        author: "person",
      } as const;
      let nth = 0;
      let runId = "";
      const nextAsker = async (): Promise<Asker> => {
        if (nth % callsOfRun === 0) runId = await createRun(store, run);
        nth += 1;
        return { runId, stepId: `step-${nth}`, generation: 1 };
      };
      const routed = async (role: "planner" | "selector") => {
        const asker = await nextAsker();
        return elapsedMs(() =>
          models.ask({
            role,
            asker,
            request: { parts: [{ kind: "text", text: question }], maxTokens },
            expected: { kind: "json", schema: expected },
            signal,
          }),
        );
      };
      const { $schema: _dialect, ...schema } = z.toJSONSchema(expected);
      const bare = openBareSdks({ base: fake.base, apiKey: key, signal });
      const asked = { text: question, schema, maxTokens };
      const record = JSON.stringify({ question, answer });
      const times = await alternate(
        {
          bareGemini: () => elapsedMs(() => bare.gemini(asked)),
          gemini: () => routed("planner"),
          bareOpenAi: () => elapsedMs(() => bare.openAi(asked)),
          openAi: () => routed("selector"),
          // What is written down before the answer is handed on.
          record: () => elapsedMs(() => store.create(`bench/${nth}-${Math.random()}`, record)),
        },
        { rounds: Math.ceil(seconds * roundsPerSecond), warmUp, signal },
      );
      const rowsOf = (what: string, of: "gemini" | "openAi", alone: "bareGemini" | "bareOpenAi") => [
        {
          what: `a question by role, over the SDK of ${what}`,
          value: median(times[of]),
          unit: "ms",
          base: { what: "the SDK alone", value: median(times[alone]) },
          ratio: pairedRatio(times[of], times[alone]),
        },
        {
          what: "of it not the SDK's",
          value: median(times[of].map((time, round) => time - (times[alone][round] ?? Number.NaN))),
          unit: "ms",
          target: { below: allowance },
        },
      ];
      return [
        ...rowsOf("Gemini", "gemini", "bareGemini"),
        ...rowsOf("OpenAI", "openAi", "bareOpenAi"),
        { what: "a record of that size in the store", value: median(times.record), unit: "ms" },
      ];
    } finally {
      await disconnect(connection);
      await fake.close();
      await redis.close();
    }
  });
