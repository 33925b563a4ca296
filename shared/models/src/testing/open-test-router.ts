import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import type { CallQuota } from "@proofroom/contracts";
import { type ModelMetrics, silentLogger } from "@proofroom/telemetry";
import {
  type FakeProvider,
  geminiBody,
  makeTempFolder,
  openAiBody,
  startFakeProvider,
} from "@proofroom/testing";
import { afterEach, beforeEach } from "vitest";
import { z } from "zod";
import { openModels } from "../open-models.ts";
import type { Asker } from "../recordings.ts";
import type { Models, Question, RunFacts } from "../router.ts";
import { openSpending } from "../spending.ts";
import { createLocalHolds } from "./local-holds.ts";

/** A cascade of two: one that watches videos and keeps to schemas, and one that does neither, has less room, and costs nothing. */
export const modelsText = `
endpoints:
  google: { api: gemini, base_url_setting: GEMINI_BASE_URL, key_setting: GEMINI_API_KEY }
  other: { api: openai, base_url_setting: OTHER_BASE_URL, key_setting: OTHER_API_KEY }
models:
  first:
    { endpoint: google, model: g, context: 100000, output: 1000, structured: true, video: true, price: { input: 1, output: 10 } }
  second: { endpoint: other, model: o, context: 2000, output: 1000, price: { input: 0, output: 0 } }
roles:
  transcriber: [first]
  planner: [first, second, extractive]
  drafter: [first, second, extractive]
  critic: [first, second, extractive]
  repairer: [first, second, extractive]
  cleaner: [second, extractive]
  selector: [first, second, extractive]
`;

export const key = "key-canary-5b2e";
export const asker: Asker = {
  runId: "run_01ARZ3NDEKTSV4RRFFQ69G5FAV",
  stepId: "generate_next_queries",
  generation: 1,
};

/** What is asked for, and the answer of either model. */
const answer = z.object({ a: z.string() });
type Answer = z.output<typeof answer>;
export const good = geminiBody('{"a":"first"}', { inputTokens: 1_000, outputTokens: 100 });
export const otherGood = openAiBody('{"a":"second"}');

export function question(over: Partial<Question<Answer>> = {}): Question<Answer> {
  return {
    role: "planner",
    asker,
    request: { parts: [{ kind: "text", text: "What?" }], maxTokens: 500 },
    expected: { kind: "json", schema: answer },
    signal: new AbortController().signal,
    ...over,
  };
}

interface Opening {
  text?: string;
  settings?: Record<string, string>;
  keepsText?: boolean;
  runs?: Partial<RunFacts>;
  metrics?: ModelMetrics;
}

export interface TestRouter {
  /** Where the first model of the cascade is asked, and the second. */
  google: FakeProvider;
  other: FakeProvider;
  store: ObjectStore;
  /** For how long each model was to be left alone at last, in milliseconds. */
  cooled: Map<string, number>;
  /** How long the next reservations have to wait, in milliseconds, for room that smaller ones take; all others are granted. */
  waits: number[];
  /** Who reserved, in order, by what each is known; and those that lined up, with their model and milliseconds. */
  waiters: (string | undefined)[];
  linedUp: { target: string; waiter: string; waitMs: number }[];
  /** What becomes of a reservation that is settled. */
  settles: () => Promise<void>;
  settings(): Record<string, string>;
  open(opening?: Opening): Promise<Models>;
}

/** Models at two fakes on loopback, with a store of their own: filled in anew before each test of the file. */
export function useTestRouter(): TestRouter {
  const place = {} as TestRouter;
  let close: () => Promise<void>;
  beforeEach(async () => {
    close = await openTestRouter(place);
  });
  afterEach(() => close());
  return place;
}

/** Answers what closes it. */
async function openTestRouter(place: TestRouter): Promise<() => Promise<void>> {
  const [folder, google, other] = await Promise.all([
    makeTempFolder(),
    startFakeProvider(),
    startFakeProvider(),
  ]);
  const quota: CallQuota = {
    async reserve(_target, _limits, _tokens, waiter) {
      place.waiters.push(waiter);
      const waitMs = place.waits.shift() ?? 0;
      return waitMs > 0 ? { granted: false, waitMs, crowded: true } : { granted: true, id: "1" };
    },
    async lineUp(target, { waiter, waitMs }) {
      place.linedUp.push({ target, waiter, waitMs });
    },
    settle: () => place.settles(),
    async cool(target, forMs) {
      place.cooled.set(target, forMs);
    },
  };
  const opened: TestRouter = {
    google,
    other,
    store: createFsStore({ root: folder.path }),
    cooled: new Map(),
    waits: [],
    waiters: [],
    linedUp: [],
    settles: async () => undefined,
    settings: () => ({
      GEMINI_API_KEY: key,
      GEMINI_BASE_URL: google.base,
      OTHER_API_KEY: key,
      OTHER_BASE_URL: `${other.base}/v1`,
    }),
    open({ text = modelsText, settings = place.settings(), keepsText = true, runs, metrics } = {}) {
      return openModels({
        file: { text, name: "models.yaml" },
        setting: (name) => settings[name],
        store: place.store,
        quota,
        log: silentLogger(),
        metrics,
        now: () => new Date(0),
        keepsText,
        runs: { answersOf: async (of) => ({ places: [of], only: false }), ...runs },
        spending: openSpending(place.store, { budgetOf: async () => ({}), ...runs }, createLocalHolds()),
      });
    },
  };
  Object.assign(place, opened);
  return async () => {
    await Promise.all([folder.close(), google.close(), other.close()]);
  };
}
