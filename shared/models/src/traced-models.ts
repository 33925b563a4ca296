import { recordingName } from "@proofroom/artifacts";
import {
  askOutcome,
  askSpan,
  chatAnswer,
  chatSpan,
  inputMessages,
  messagesText,
  outputMessages,
  recordingAttribute,
  type Span,
  systemInstructions,
  type Tracing,
} from "@proofroom/telemetry";
import { costOf } from "./cost.ts";
import type { Endpoint, ModelEntry } from "./models-file.ts";
import { CallError, type Provider } from "./provider.ts";
import { type Asker, keyOf } from "./recordings.ts";
import { type ModelRequest, usageOf } from "./request.ts";
import type { Models } from "./router.ts";

/** The calls that one question has taken so far. */
interface Asking {
  asker: Asker;
  models: string[];
  cost: number;
}

export interface ModelTracingOptions {
  tracing: Tracing;
  /** The entry of the models file by which an endpoint is asked for a model, as the provider calls that. */
  entryOf(endpoint: string, model: string): ModelEntry | undefined;
  /** Whether questions and answers are kept with the run. */
  keepsText: boolean;
}

export interface ModelTracing {
  /** The same provider, of whose calls each is told. */
  provider(name: string, api: Endpoint["api"], provider: Provider): Provider;
  /** The same models, of whose questions each is told, with what it took. */
  models(models: Models): Models;
}

/** How often one call followed another of the same model, and of another model. */
function repeats(models: readonly string[]): { retries: number; failovers: number } {
  const same = models.filter((model, at) => at > 0 && model === models[at - 1]).length;
  return { retries: same, failovers: Math.max(models.length - 1 - same, 0) };
}

function describe(span: Span, { system, parts }: ModelRequest): void {
  if (system !== undefined)
    span.content(systemInstructions, () => JSON.stringify([{ type: "text", content: system }]));
  const texts = () => parts.map((part) => (part.kind === "text" ? part.text : `[video: ${part.url}]`));
  span.content(inputMessages, () => messagesText("user", texts()));
}

/** Traces questions to roles, and inside each the calls of providers that it takes: retries and failovers stand beside each other. */
export function createModelTracing({ tracing, entryOf, keepsText }: ModelTracingOptions): ModelTracing {
  const askings = new WeakMap<Span, Asking>();

  return {
    provider: (name, api, provider) => ({
      host: provider.host,
      generate(request, options) {
        const { model } = options;
        const around = tracing.active();
        const asking = around === null ? undefined : askings.get(around);
        const entry = entryOf(name, model);
        const before = asking?.models.at(-1);
        if (before !== undefined)
          around?.event(before === model ? "retry" : "failover", { "gen_ai.request.model": model });
        asking?.models.push(model);
        const start = chatSpan({
          provider: api === "gemini" ? api : name,
          model,
          maxTokens: request.maxTokens,
          isJson: request.schema !== undefined,
          conversation: asking?.asker.runId,
        });
        return tracing.span(start, async (span) => {
          describe(span, request);
          try {
            const reply = await provider.generate(request, options);
            const usage = usageOf(request, reply);
            const cost = entry?.price === undefined ? undefined : costOf(entry, usage);
            if (asking !== undefined) asking.cost += cost ?? 0;
            span.set(chatAnswer({ model, finish: reply.finish, ...usage, cost }));
            if (keepsText && asking !== undefined && entry !== undefined)
              span.set({ [recordingAttribute]: recordingName(keyOf(asking.asker, entry.name, request)) });
            span.content(outputMessages, () => messagesText("assistant", [reply.text], reply.finish));
            return reply;
          } catch (error) {
            if (error instanceof CallError) span.fail(error.fault);
            throw error;
          }
        });
      },
    }),

    models: (models) => ({
      has: (role) => models.has(role),
      ask(question) {
        // Where nobody can be asked there is nothing to tell.
        if (!models.has(question.role)) return models.ask(question);
        return tracing.span(askSpan(question.role), async (span) => {
          const asking: Asking = { asker: question.asker, models: [], cost: 0 };
          askings.set(span, asking);
          let by = "nobody";
          try {
            const answered = await models.ask(question);
            by = answered.by;
            return answered;
          } finally {
            const { models: asked, cost } = asking;
            span.set(askOutcome({ by, calls: asked.length, ...repeats(asked), cost }));
          }
        });
      },
    }),
  };
}
