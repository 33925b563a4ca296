import { openModels } from "../../../shared/models/src/index.ts";
import { createCallQuota } from "../../../shared/queue/src/index.ts";
import { type Handlers, serve } from "../../../shared/runtime/src/index.ts";
import { critic } from "../no-op-handlers.ts";
import { serveUntilTold } from "../serve-until-told.ts";
import { quotaModels } from "./quota-models.ts";

/**
 * `asking-worker-main.ts FOLDER REDIS MODEL-URL WORKERS LIMIT WINDOW`: so many workers, each of whose jobs asks a model once, of
 * which all processes together may ask so many times in a window of milliseconds; until SIGTERM.
 */
const [root = "", redisUrl = "", base = "", ...numbers] = process.argv.slice(2);
const [workers = 1, limit = 1, minuteMs = 60_000] = numbers.map(Number);
const settings = new Map([
  ["GEMINI_API_KEY", "key-of-a-bench"],
  ["GEMINI_BASE_URL", base],
]);

await serveUntilTold({ root, redisUrl }, async (deps) => {
  const models = await openModels({
    file: { text: quotaModels(limit), name: "models.yaml" },
    setting: (name) => settings.get(name),
    store: deps.store,
    quota: createCallQuota(deps.connection, { minuteMs }),
    log: deps.log,
    now: () => new Date(),
    keepsText: true,
  });
  const asking: Handlers<"critic"> = {
    ...critic,
    async critic_evaluate_article(input, context) {
      const { runId, stepId, generation, signal } = context;
      await models.ask({
        role: "critic",
        asker: { runId, stepId, generation },
        request: { parts: [{ kind: "text", text: "Is it good?" }], maxTokens: 100 },
        expected: { kind: "text", parse: (text) => text },
        signal,
      });
      return critic.critic_evaluate_article(input, context);
    },
  };
  return serve("critic", asking, { ...deps, share: { concurrencyOf: () => workers } });
});
