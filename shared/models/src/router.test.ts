import { costOfRun } from "@proofroom/artifacts";
import {
  geminiBlocked,
  geminiBody,
  geminiError,
  geminiLimit,
  openAiBody,
  openAiError,
} from "@proofroom/testing";
import { describe, expect, it } from "vitest";
import type { Asker } from "./recordings.ts";
import type { RunFacts } from "./router.ts";
import {
  asker,
  good,
  key,
  modelsText,
  otherGood,
  question,
  useTestRouter,
} from "./testing/open-test-router.ts";

const place = useTestRouter();

describe("a question to a role", () => {
  it("is answered by the first model of its cascade, and recorded with who answered and what it cost", async () => {
    place.google.next({ body: good });
    expect(await (await place.open()).ask(question())).toEqual({ by: "first", value: { a: "first" } });
    expect(place.other.requests).toHaveLength(0);
    expect(await costOfRun(place.store, asker.runId)).toEqual({
      models: { first: 1 },
      calls: 1,
      input_tokens: 1_000,
      output_tokens: 100,
      usd: 0.002,
      unpriced_calls: 0,
      searches: {},
      unpriced_searches: 0,
      pages: 0,
    });
  });

  it("costs nothing and is told apart where the model's price is not known, also under a budget", async () => {
    place.other.next({ body: otherGood });
    const text = modelsText.replace(", price: { input: 0, output: 0 }", "");
    const models = await place.open({ text, runs: { budgetOf: async () => ({ usd: 0.001 }) } });
    expect(await models.ask(question({ role: "cleaner" }))).toMatchObject({ by: "second" });
    expect(await costOfRun(place.store, asker.runId)).toMatchObject({ calls: 1, usd: 0, unpriced_calls: 1 });
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
      place.google.next(fault);
      place.other.next({ body: otherGood });
      expect(await (await place.open()).ask(question())).toEqual({ by: "second", value: { a: "second" } });
      expect(place.cooled.get("first")).toBe(coolMs);
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
      place.google.next({ body }, { body });
      place.other.next({ body: otherGood });
      expect(await (await place.open()).ask(question())).toMatchObject({ by: "second" });
      expect(place.google.requests).toHaveLength(2);
      expect(place.google.requests[1]?.text).toContain(hint);
      expect(place.google.requests[0]?.text).not.toContain(hint);
    },
  );

  it("is asked with more room where the answer was cut off at its limit", async () => {
    place.google.next({ body: geminiBody('{"a":', { finish: "MAX_TOKENS" }) }, { body: good });
    expect(await (await place.open()).ask(question())).toMatchObject({ by: "first" });
    const rooms = place.google.requests
      .map((sent) => sent.json())
      .map((body) => JSON.stringify(body).match(/maxOutputTokens":(\d+)/)?.[1]);
    expect(rooms).toEqual(["500", "1000"]);
  });

  it("goes to the next model at once where it was blocked", async () => {
    place.google.next({ body: geminiBlocked() });
    place.other.next({ body: otherGood });
    expect(await (await place.open()).ask(question())).toMatchObject({ by: "second" });
    expect(place.google.requests).toHaveLength(1);
  });

  it("puts the schema into words for a model that keeps to none by itself", async () => {
    place.other.next({ body: otherGood });
    await (await place.open()).ask(question({ role: "cleaner" }));
    expect(place.other.requests[0]?.text).toContain("JSON Schema");
    expect(place.other.requests[0]?.text).not.toContain("response_format");
  });

  it("is not asked of a model into which it does not fit", async () => {
    place.google.next({ cut: "at_once" });
    const parts = [{ kind: "text" as const, text: "long ".repeat(4_000) }];
    const work = (await place.open()).ask(question({ request: { parts, maxTokens: 500 } }));
    await expect(work).rejects.toMatchObject({ code: "unreachable" });
    expect(place.other.requests).toHaveLength(0);
  });

  it("is the caller's own to answer where no model is configured, and only then", async () => {
    expect(await (await place.open({ settings: {} })).ask(question())).toEqual({ by: "extractive" });
    place.google.next(geminiError(403, "no"));
    place.other.next(openAiError(401, "invalid_api_key"));
    await expect((await place.open()).ask(question())).rejects.toMatchObject({ code: "not_configured" });
  });

  it("fails where a role has no model and nothing stands in for it", async () => {
    const models = await place.open({ settings: {} });
    expect(models.has("transcriber")).toBe(false);
    await expect(models.ask(question({ role: "transcriber" }))).rejects.toMatchObject({
      code: "not_configured",
    });
  });

  it("fails with what each model did, and where, where none gave an answer that can be used", async () => {
    place.google.next({ body: geminiBody("?") }, { body: geminiBody("?") });
    place.other.next(openAiError(400, "bad"));
    const { host } = new URL(place.other.base);
    await expect((await place.open()).ask(question())).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining(
        `first: not_json, first: not_json, second: rejected (400 from ${host}).`,
      ),
    });
  });

  it("fails with the host alone where no answer came, and shows neither key nor path", async () => {
    place.google.next({ cut: "at_once" });
    place.other.next(openAiError(401, `bad ${key}`));
    const error: unknown = await (await place.open()).ask(question()).catch((thrown: unknown) => thrown);
    const [google, other] = [place.google, place.other].map(({ base }) => new URL(base).host);
    expect(error).toMatchObject({
      message: expect.stringContaining(`first: unreachable (${google}), second: refused (401 from ${other})`),
    });
    expect(String(error)).not.toMatch(new RegExp(`${key}|/v1`));
  });
});

describe("a question that the caller can do without", () => {
  it("is the caller's own where models answer and none of their answers can be used", async () => {
    place.google.next({ body: geminiBody("?") }, { body: geminiBody("?") });
    place.other.next({ body: openAiBody("?") }, { body: openAiBody("?") });
    expect(await (await place.open()).ask(question({ optional: true }))).toEqual({
      by: "extractive",
      useless: true,
    });
  });

  it("is the caller's own also where one has no answer of use and the other does not take its key", async () => {
    place.google.next({ body: geminiBody("?") }, { body: geminiBody("?") });
    place.other.next(openAiError(401, "invalid_api_key"));
    expect(await (await place.open()).ask(question({ optional: true }))).toMatchObject({ by: "extractive" });
  });

  it("fails all the same where they could not be asked", async () => {
    place.google.next({ body: geminiBody("?") }, { body: geminiBody("?") });
    place.other.next({ cut: "at_once" });
    await expect((await place.open()).ask(question({ optional: true }))).rejects.toMatchObject({
      code: "unreachable",
    });
  });
});

describe("a model that a setting names", () => {
  const named = modelsText.replace("model: o,", "model_setting: OTHER_MODEL,");
  const ask = (model: string | undefined, of: Partial<Asker> = {}, runs: Partial<RunFacts> = {}) =>
    place
      .open({
        text: named,
        settings: { ...place.settings(), ...(model === undefined ? {} : { OTHER_MODEL: model }) },
        runs,
      })
      .then((models) => models.ask(question({ role: "cleaner", asker: { ...asker, ...of } })));

  it("is called what its provider calls it: when asked, when recorded, and in a replay under other settings", async () => {
    place.other.next({ body: otherGood });
    const answered = { by: "llama3.2", value: { a: "second" } };
    expect(await ask("llama3.2")).toEqual(answered);
    expect(await ask("llama3.2")).toEqual(answered);
    const runs = { answersOf: async () => ({ places: [asker], only: true }) };
    for (const now of [undefined, "qwen3"])
      expect(await ask(now, { runId: `run_${"1".repeat(26)}` }, runs)).toEqual(answered);
    expect(place.other.requests).toHaveLength(1);
  });
});
