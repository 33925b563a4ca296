import { createFsStore } from "@proofroom/artifacts";
import { openModels } from "@proofroom/models";
import { connect, createCallQuota, disconnect } from "@proofroom/queue";
import { createLogger } from "@proofroom/telemetry";
import { z } from "zod";

const settingsSchema = z.object({
  redisUrl: z.string(),
  base: z.string(),
  root: z.string(),
  models: z.string(),
  windowMs: z.int(),
  workers: z.int(),
  questions: z.array(z.string()),
});

/** One process of workers that share a quota with others: asks its questions, so many at a time, and ends. */
const settings = settingsSchema.parse(JSON.parse(process.argv[2] ?? ""));
const log = createLogger({ level: "silent", destination: process.stderr });
const connection = connect({ url: settings.redisUrl, role: "worker", log });
const models = await openModels({
  file: { text: settings.models, name: "models.yaml" },
  setting: (name) => ({ GEMINI_API_KEY: "key-of-a-test", GEMINI_BASE_URL: settings.base })[name],
  store: createFsStore({ root: settings.root }),
  quota: createCallQuota(connection, { minuteMs: settings.windowMs }),
  log,
  now: () => new Date(),
  keepsText: true,
});
const left = [...settings.questions];
const worker = async () => {
  for (let text = left.shift(); text !== undefined; text = left.shift()) {
    await models.ask({
      role: "cleaner",
      asker: { runId: "run_01J00000000000000000000000", stepId: "step", generation: 1 },
      request: { parts: [{ kind: "text", text }], maxTokens: 100 },
      expected: { kind: "text", parse: (answer) => answer },
      signal: AbortSignal.timeout(60_000),
    });
  }
};
await Promise.all(Array.from({ length: settings.workers }, worker));
await disconnect(connection);
