import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { type CallQuota, ProofroomError } from "@proofroom/contracts";
import { silentLogger } from "@proofroom/telemetry";
import {
  eventually,
  type FakeProvider,
  geminiBlocked,
  geminiBody,
  geminiError,
  geminiLimit,
  makeTempFolder,
  openAiBody,
  openAiError,
  startFakeProvider,
  type TempFolder,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { openModels } from "./open-models.ts";
import { type Asker, spentOn } from "./recordings.ts";
import type { Models, Question, RunFacts } from "./router.ts";

const file = `
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

const canary = "key-canary-5b2e";
const asker: Asker = {
  runId: "run_01ARZ3NDEKTSV4RRFFQ69G5FAV",
  stepId: "generate_next_queries",
  generation: 1,
};
const answer = z.object({ a: z.string() });

let folder: TempFolder;
let store: ObjectStore;
let google: FakeProvider;
let other: FakeProvider;
let cooled: Map<string, number>;
let waits: number[];
let settles: () => Promise<void>;

beforeEach(async () => {
  [folder, google, other] = await Promise.all([makeTempFolder(), startFakeProvider(), startFakeProvider()]);
  store = createFsStore({ root: folder.path });
  cooled = new Map();
  waits = [];
  settles = async () => undefined;
});

afterEach(async () => {
  await Promise.all([folder.close(), google.close(), other.close()]);
});

/** Grants everything, but for as many waits as a test asks for. */
const quota: CallQuota = {
  async reserve() {
    const waitMs = waits.shift() ?? 0;
    return waitMs > 0 ? { granted: false, waitMs } : { granted: true, id: "1" };
  },
  settle: () => settles(),
  async cool(target, forMs) {
    cooled.set(target, forMs);
  },
};

function settings(): Record<string, string> {
  return {
    GEMINI_API_KEY: canary,
    GEMINI_BASE_URL: google.base,
    OTHER_API_KEY: canary,
    OTHER_BASE_URL: `${other.base}/v1`,
  };
}

function open(
  over: {
    text?: string;
    settings?: Record<string, string>;
    keepsText?: boolean;
    runs?: Partial<RunFacts>;
  } = {},
): Promise<Models> {
  const { text = file, settings: given = settings(), keepsText = true, runs } = over;
  return openModels({
    file: { text, name: "models.yaml" },
    setting: (name) => given[name],
    store,
    quota,
    log: silentLogger(),
    now: () => new Date(0),
    keepsText,
    runs: {
      budgetOf: async () => null,
      answersOf: async (of) => ({ places: [of], only: false }),
      ...runs,
    },
  });
}

function question(over: Partial<Question<z.output<typeof answer>>> = {}): Question<z.output<typeof answer>> {
  return {
    role: "planner",
    asker,
    request: { parts: [{ kind: "text", text: "What?" }], maxTokens: 500 },
    expected: { kind: "json", schema: answer },
    signal: new AbortController().signal,
    ...over,
  };
}

const good = geminiBody('{"a":"first"}', { inputTokens: 1_000, outputTokens: 100 });
const otherGood = openAiBody('{"a":"second"}');

describe("a question to a role", () => {
  it("is answered by the first model of its cascade, and recorded with who answered and what it cost", async () => {
    google.next({ body: good });
    expect(await (await open()).ask(question())).toEqual({ by: "first", value: { a: "first" } });
    expect(other.requests).toHaveLength(0);
    expect(await spentOn(store, asker.runId)).toEqual({
      models: { first: 1 },
      calls: 1,
      inputTokens: 1_000,
      outputTokens: 100,
      cost: 0.002,
      unpricedCalls: 0,
    });
  });

  it("costs nothing and is told apart where the model's price is not known, also under a budget", async () => {
    other.next({ body: otherGood });
    const text = file.replace(", price: { input: 0, output: 0 }", "");
    const models = await open({ text, runs: { budgetOf: async () => 0.001 } });
    expect(await models.ask(question({ role: "cleaner" }))).toMatchObject({ by: "second" });
    expect(await spentOn(store, asker.runId)).toMatchObject({ calls: 1, cost: 0, unpricedCalls: 1 });
  });

  it.each([
    ["has reached its limit", geminiLimit("PerMinute", 31), 31_000],
    ["has used up its day", geminiLimit("PerDay"), 3_600_000],
    ["is overloaded", geminiError(503, "overloaded"), 5_000],
    ["cannot be reached", { cut: "at_once" as const }, undefined],
    ["does not take its key", geminiError(403, "no"), undefined],
  ])(
    "goes to the next model where the first %s, and everybody leaves that one alone",
    async (_name, fault, coolMs) => {
      google.next(fault);
      other.next({ body: otherGood });
      expect(await (await open()).ask(question())).toEqual({ by: "second", value: { a: "second" } });
      expect(cooled.get("first")).toBe(coolMs);
    },
  );

  it.each([
    ["is not JSON", geminiBody("I would rather not."), "valid JSON"],
    ["is off the schema", geminiBody('{"b":1}'), "schema"],
    ["is empty", geminiBody("<think>hm</think>"), "empty"],
    ["broke off", geminiBody("{", { finish: null }), "broke off"],
  ])(
    "is asked once more with the reason where the answer %s, then of the next model",
    async (_name, body, hint) => {
      google.next({ body }, { body });
      other.next({ body: otherGood });
      expect(await (await open()).ask(question())).toMatchObject({ by: "second" });
      expect(google.requests).toHaveLength(2);
      expect(google.requests[1]?.text).toContain(hint);
      expect(google.requests[0]?.text).not.toContain(hint);
    },
  );

  it("is asked with more room where the answer was cut off at its limit", async () => {
    google.next({ body: geminiBody('{"a":', { finish: "MAX_TOKENS" }) }, { body: good });
    expect(await (await open()).ask(question())).toMatchObject({ by: "first" });
    const rooms = google.requests
      .map((sent) => sent.json())
      .map((body) => JSON.stringify(body).match(/maxOutputTokens":(\d+)/)?.[1]);
    expect(rooms).toEqual(["500", "1000"]);
  });

  it("goes to the next model at once where it was blocked", async () => {
    google.next({ body: geminiBlocked() });
    other.next({ body: otherGood });
    expect(await (await open()).ask(question())).toMatchObject({ by: "second" });
    expect(google.requests).toHaveLength(1);
  });

  it("puts the schema into words for a model that keeps to none by itself", async () => {
    other.next({ body: otherGood });
    await (await open()).ask(question({ role: "cleaner" }));
    expect(other.requests[0]?.text).toContain("JSON Schema");
    expect(other.requests[0]?.text).not.toContain("response_format");
  });

  it("is not asked of a model into which it does not fit", async () => {
    google.next({ cut: "at_once" });
    const parts = [{ kind: "text" as const, text: "long ".repeat(4_000) }];
    const work = (await open()).ask(question({ request: { parts, maxTokens: 500 } }));
    await expect(work).rejects.toMatchObject({ code: "unreachable" });
    expect(other.requests).toHaveLength(0);
  });

  it("is the caller's own to answer where no model is configured, and only then", async () => {
    expect(await (await open({ settings: {} })).ask(question())).toEqual({ by: "extractive" });
    google.next(geminiError(403, "no"));
    other.next(openAiError(401, "invalid_api_key"));
    await expect((await open()).ask(question())).rejects.toMatchObject({ code: "not_configured" });
  });

  it("fails where a role has no model and nothing stands in for it", async () => {
    const models = await open({ settings: {} });
    expect(models.has("transcriber")).toBe(false);
    await expect(models.ask(question({ role: "transcriber" }))).rejects.toMatchObject({
      code: "not_configured",
    });
  });

  it("fails with what each model did where none gave an answer that can be used", async () => {
    google.next({ body: geminiBody("?") }, { body: geminiBody("?") });
    other.next(openAiError(400, "bad"));
    await expect((await open()).ask(question())).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringMatching(/first: not_json, first: not_json, second: rejected/),
    });
  });
});

describe("a question that the caller can do without", () => {
  it("is the caller's own where models answer and none of their answers can be used", async () => {
    google.next({ body: geminiBody("?") }, { body: geminiBody("?") });
    other.next({ body: openAiBody("?") }, { body: openAiBody("?") });
    expect(await (await open()).ask(question({ optional: true }))).toEqual({
      by: "extractive",
      useless: true,
    });
  });

  it("is the caller's own also where one has no answer of use and the other does not take its key", async () => {
    google.next({ body: geminiBody("?") }, { body: geminiBody("?") });
    other.next(openAiError(401, "invalid_api_key"));
    expect(await (await open()).ask(question({ optional: true }))).toMatchObject({ by: "extractive" });
  });

  it("fails all the same where they could not be asked", async () => {
    google.next({ body: geminiBody("?") }, { body: geminiBody("?") });
    other.next({ cut: "at_once" });
    await expect((await open()).ask(question({ optional: true }))).rejects.toMatchObject({
      code: "unreachable",
    });
  });
});

describe("limits", () => {
  it("that end soon are waited out, and told of; the question is asked then", async () => {
    waits = [20, 30];
    google.next({ body: good });
    const told: number[] = [];
    expect(await (await open()).ask(question({ onWait: (ms) => told.push(ms) }))).toMatchObject({
      by: "first",
    });
    expect(told).toEqual([20]);
  });

  it("that do not end soon give the job back, with the time to go on", async () => {
    waits = [90_000, 60_000];
    await expect((await open()).ask(question())).rejects.toMatchObject({
      code: "quota",
      disposition: { kind: "wait", delayMs: 60_000 },
    });
    expect([...google.requests, ...other.requests]).toHaveLength(0);
  });

  it("are waited for no longer once the work is cancelled", async () => {
    waits = Array.from({ length: 4 }, () => 29_000);
    const controller = new AbortController();
    const work = (await open()).ask(
      question({ signal: controller.signal, onWait: () => controller.abort() }),
    );
    await expect(work).rejects.toThrow();
    expect(google.requests).toHaveLength(0);
  });

  const budgetOf = (usd: number) => ({ runs: { budgetOf: async () => usd } });

  it("of the run's budget are kept before the call; what costs nothing is still asked", async () => {
    const models = await open(budgetOf(0.001));
    await expect(models.ask(question())).rejects.toMatchObject({
      code: "budget",
      remedy: expect.stringMatching(/resume/i),
    });
    expect(google.requests).toHaveLength(0);
    other.next({ body: otherGood });
    expect(await models.ask(question({ role: "cleaner" }))).toMatchObject({ by: "second" });
  });

  it("of the run's budget make calls wait for each other that it does not hold at once", async () => {
    const release = Promise.withResolvers<void>();
    google.next({ body: good, after: release.promise }, { body: good });
    // A call may cost half a cent, so one fits and two do not, but it costs less.
    const models = await open(budgetOf(0.008));
    const first = models.ask(question());
    await eventually(() => google.open.now === 1);
    const other = models.ask(question({ asker: { ...asker, stepId: "other" } }));
    expect(google.requests).toHaveLength(1);
    release.resolve();
    expect(await first).toMatchObject({ by: "first" });
    expect(await other).toMatchObject({ by: "first" });
    expect([google.open.most, google.requests.length]).toEqual([1, 2]);
  });

  it("of the run's budget end the asking of those that waited in vain", async () => {
    const release = Promise.withResolvers<void>();
    const dear = geminiBody('{"a":"first"}', { inputTokens: 1_000, outputTokens: 500 });
    google.next({ body: dear, after: release.promise });
    const models = await open(budgetOf(0.008));
    const first = models.ask(question());
    await eventually(() => google.open.now === 1);
    const others = ["b", "c", "d"].map((stepId) => models.ask(question({ asker: { ...asker, stepId } })));
    const ends = Promise.allSettled(others);
    release.resolve();
    expect(await first).toMatchObject({ by: "first" });
    for (const end of await ends) expect(end).toMatchObject({ reason: { code: "budget" } });
    expect(google.requests).toHaveLength(1);
  });

  it("of how long a model is left alone end after a day, whatever it said", async () => {
    google.next(geminiLimit("PerMinute", 10 ** 15));
    await expect(
      (await open({ settings: { ...settings(), OTHER_API_KEY: "" } })).ask(question({ role: "transcriber" })),
    ).rejects.toMatchObject({
      code: "quota",
      disposition: { kind: "wait", delayMs: 86_400_000 },
    });
    expect(cooled.get("first")).toBe(86_400_000);
  });
});

describe("a model that a setting names", () => {
  const named = file.replace("model: o,", "model_setting: OTHER_MODEL,");
  const ask = (model: string | undefined, of: Partial<Asker> = {}, runs: Partial<RunFacts> = {}) =>
    open({
      text: named,
      settings: { ...settings(), ...(model === undefined ? {} : { OTHER_MODEL: model }) },
      runs,
    }).then((models) => models.ask(question({ role: "cleaner", asker: { ...asker, ...of } })));

  it("is called what its provider calls it: when asked, when recorded, and in a replay under other settings", async () => {
    other.next({ body: otherGood });
    const answered = { by: "llama3.2", value: { a: "second" } };
    expect(await ask("llama3.2")).toEqual(answered);
    expect(await ask("llama3.2")).toEqual(answered);
    const runs = { answersOf: async () => ({ places: [asker], only: true }) };
    for (const now of [undefined, "qwen3"])
      expect(await ask(now, { runId: `run_${"1".repeat(26)}` }, runs)).toEqual(answered);
    expect(other.requests).toHaveLength(1);
  });
});

describe("recordings", () => {
  it("answer the same question of the same step, whoever had answered; another generation asks anew", async () => {
    google.next(geminiError(503, "overloaded"));
    other.next({ body: otherGood });
    await (await open()).ask(question());
    expect(await (await open()).ask(question())).toMatchObject({ by: "second" });
    expect(google.requests).toHaveLength(1);
    google.next({ body: good });
    const again = question({ asker: { ...asker, generation: 2 } });
    expect(await (await open()).ask(again)).toMatchObject({ by: "first" });
  });

  it("of a generation that failed are not asked for again by the one that goes on from it", async () => {
    google.next({ body: good });
    await (await open()).ask(question());
    const second = { ...asker, generation: 2 };
    const runs = { answersOf: async () => ({ places: [second, asker], only: false }) };
    expect(await (await open({ runs })).ask(question({ asker: second }))).toMatchObject({ by: "first" });
    expect(google.requests).toHaveLength(1);
  });

  it("are replayed in another run without a call or a key, flaws and all", async () => {
    google.next({ body: geminiBody("?") }, { body: good });
    await (await open()).ask(question());
    const runs = { answersOf: async () => ({ places: [asker], only: true }) };
    for (const given of [settings(), {}]) {
      const models = await open({ runs, settings: given });
      const asked = { ...asker, runId: `run_${"1".repeat(26)}` };
      expect(await models.ask(question({ asker: asked }))).toEqual({ by: "first", value: { a: "first" } });
      const unknown = question({
        asker: asked,
        request: { parts: [{ kind: "text", text: "Why?" }], maxTokens: 500 },
      });
      await expect(models.ask(unknown)).rejects.toMatchObject({ code: "not_found" });
      // Nobody had been asked to be the critic.
      expect(await models.ask({ ...unknown, role: "critic" })).toEqual({ by: "extractive" });
    }
    expect(google.requests).toHaveLength(2);
  });

  it("that hold no text are not taken for a run without models by a replay", async () => {
    google.next({ body: good });
    await (await open({ keepsText: false })).ask(question());
    const models = await open({ runs: { answersOf: async () => ({ places: [asker], only: true }) } });
    await expect(models.ask(question())).rejects.toMatchObject({ code: "not_found" });
    expect(google.requests).toHaveLength(1);
  });

  it("count what was paid for twice twice, where they hold no text by which it could be found again", async () => {
    google.next({ body: good }, { body: good });
    const models = await open({ keepsText: false });
    await models.ask(question());
    await models.ask(question());
    expect(await spentOn(store, asker.runId)).toMatchObject({ calls: 2, models: { first: 2 } });
  });

  it("hold an answer that was paid for, though its reservation cannot be settled then", async () => {
    google.next({ body: good });
    settles = () => Promise.reject(new ProofroomError({ code: "dependency_down", message: "away" }));
    await expect((await open()).ask(question())).rejects.toMatchObject({ code: "dependency_down" });
    settles = async () => undefined;
    expect(await (await open()).ask(question())).toMatchObject({ by: "first" });
    expect(google.requests).toHaveLength(1);
  });

  it("hold no text where none may be kept, and never a key", async () => {
    google.next({ body: good }, { body: good });
    const kept = await open({ keepsText: false });
    await kept.ask(question());
    await (await open()).ask(question({ asker: { ...asker, generation: 2 } }));
    const texts = [];
    for await (const { key } of store.list(""))
      texts.push(await new Response((await store.get(key)).body).text());
    expect(texts).toHaveLength(2);
    expect(texts.filter((text) => text.includes("What?"))).toHaveLength(1);
    expect(texts.join()).not.toContain(canary);
  });
});
