import {
  type FakeProvider,
  geminiBlocked,
  geminiBody,
  geminiError,
  geminiLimit,
  openAiBody,
  openAiError,
  startFakeProvider,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallError, type Provider } from "../provider.ts";
import type { ModelRequest } from "../request.ts";
import { createGemini } from "./gemini.ts";
import { createOpenAiCompatible, durationMs } from "./openai-compatible.ts";

const canary = "key-canary-7d1f";
const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
const request: ModelRequest = {
  system: "Be exact.",
  parts: [{ kind: "text", text: "What is it?" }],
  schema,
  maxTokens: 500,
};

let fake: FakeProvider;

beforeEach(async () => {
  fake = await startFakeProvider();
});

afterEach(() => fake.close());

function gemini(timeoutMs?: number): Provider {
  return createGemini({ apiKey: canary, baseUrl: fake.base, timeoutMs });
}

function openAi(timeoutMs?: number): Provider {
  return createOpenAiCompatible({ apiKey: canary, baseUrl: `${fake.base}/v1`, timeoutMs });
}

const never = new AbortController().signal;

function ask(provider: Provider, over: Partial<ModelRequest> = {}, signal = never) {
  return provider.generate({ ...request, ...over }, { model: "m-1", structured: true, signal });
}

async function faultOf(provider: Provider): Promise<CallError> {
  const thrown: unknown = await ask(provider).then(
    () => expect.unreachable("it answered"),
    (error) => error,
  );
  expect(thrown).toBeInstanceOf(CallError);
  const error = thrown as CallError;
  expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(canary);
  return error;
}

describe("Gemini", () => {
  it("is asked once, over the wire that it documents, and its thoughts are no answer", async () => {
    fake.next({ body: geminiBody('{"a":"b"}', { inputTokens: 7, outputTokens: 3, thoughts: "hm" }) });
    expect(await ask(gemini())).toEqual({
      text: '{"a":"b"}',
      finish: "stop",
      usage: { inputTokens: 7, outputTokens: 3 },
    });
    const [sent] = fake.requests;
    expect(fake.requests).toHaveLength(1);
    expect(sent?.path).toBe("/v1beta/models/m-1:generateContent");
    expect(sent?.headers["x-goog-api-key"]).toBe(canary);
    expect(sent?.json()).toMatchObject({
      contents: [{ role: "user", parts: [{ text: "What is it?" }] }],
      generationConfig: {
        maxOutputTokens: 500,
        responseMimeType: "application/json",
        responseJsonSchema: schema,
      },
    });
  });

  it("watches a stretch of a video that it fetches itself", async () => {
    fake.next({ body: geminiBody("said") });
    const url = "https://www.youtube.com/watch?v=aaaaaaaaaaa";
    const { schema: _none, ...plain } = request;
    await gemini().generate(
      { ...plain, parts: [{ kind: "video", url, from: 60, to: 120, seconds: 60 }] },
      { model: "m-1", structured: true, signal: never },
    );
    expect(fake.requests[0]?.json()).toMatchObject({
      contents: [
        { parts: [{ fileData: { fileUri: url }, videoMetadata: { startOffset: "60s", endOffset: "120s" } }] },
      ],
      generationConfig: { mediaResolution: "MEDIA_RESOLUTION_LOW" },
    });
  });

  it.each([
    ["cut off at its limit", { body: geminiBody("x", { finish: "MAX_TOKENS" }) }, "length"],
    ["stopped for safety", { body: geminiBody("", { finish: "SAFETY" }) }, "blocked"],
    ["blocked before it began", { body: geminiBlocked() }, "blocked"],
    ["without an end", { body: geminiBody("x", { finish: null }) }, "open"],
  ])("that was %s says so", async (_name, answer, finish) => {
    fake.next(answer);
    expect(await ask(gemini())).toMatchObject({ finish });
  });

  it.each([
    ["a minute's limit with a hint", geminiLimit("PerMinute", 31), "rate", 31_000],
    ["a minute's limit without one", geminiLimit("PerMinute"), "rate", undefined],
    ["the day's limit", geminiLimit("PerDay", 12), "day", 12_000],
    [
      "a minute's limit with a header",
      { ...geminiError(429, "slow"), headers: { "retry-after": "7" } },
      "rate",
      7_000,
    ],
    [
      "a minute's limit with a hint and a header that rounds it",
      { ...geminiLimit("PerMinute", 31), headers: { "retry-after": "40" } },
      "rate",
      31_000,
    ],
    [
      "the day's limit with a header",
      { ...geminiLimit("PerDay"), headers: { "retry-after": "9" } },
      "day",
      9_000,
    ],
    [
      "an overload with a header",
      { ...geminiError(503, "overloaded"), headers: { "retry-after": "5" } },
      "busy",
      5_000,
    ],
    ["an overload with a hint", { ...geminiLimit("PerMinute", 4), status: 503 }, "busy", 4_000],
    ["an overload", geminiError(503, "overloaded"), "busy", undefined],
    [
      "an HTML page",
      { status: 502, body: "<html>bad gateway</html>", headers: { "content-type": "text/html" } },
      "busy",
      undefined,
    ],
    [
      "a key that is none",
      geminiError(400, "API key not valid. Please pass a valid API key."),
      "refused",
      undefined,
    ],
    ["a key without rights", geminiError(403, "denied"), "refused", undefined],
    ["a bad request", geminiError(400, `bad ${canary}`), "rejected", undefined],
    ["an empty body", { body: "", headers: { "content-type": "application/json" } }, "garbled", undefined],
    [
      "broken JSON",
      { body: '{"candidates":[', headers: { "content-type": "application/json" } },
      "garbled",
      undefined,
    ],
    ["a cut socket", { cut: "at_once" as const }, "unreachable", undefined],
  ])("that answers with %s has failed so, after one call", async (_name, answer, fault, retryAfterMs) => {
    fake.next(answer);
    expect(await faultOf(gemini())).toMatchObject({ fault, retryAfterMs });
    expect(fake.requests).toHaveLength(1);
  });
});

describe("a server with OpenAI's API", () => {
  it("is asked once, over the wire that it documents", async () => {
    fake.next({ body: openAiBody('{"a":"b"}', { inputTokens: 7, outputTokens: 3 }) });
    expect(await ask(openAi())).toEqual({
      text: '{"a":"b"}',
      finish: "stop",
      usage: { inputTokens: 7, outputTokens: 3 },
    });
    const [sent] = fake.requests;
    expect(sent?.path).toBe("/v1/chat/completions");
    expect(sent?.headers["authorization"]).toBe(`Bearer ${canary}`);
    expect(sent?.json()).toMatchObject({
      model: "m-1",
      messages: [
        { role: "system", content: "Be exact." },
        { role: "user", content: "What is it?" },
      ],
      response_format: { type: "json_schema", json_schema: { schema, strict: true } },
    });
  });

  it.each([
    ["cut off at its limit", { body: openAiBody("x", { finish: "length" }) }, "length"],
    ["filtered", { body: openAiBody("", { finish: "content_filter" }) }, "blocked"],
    ["refused", { body: openAiBody(null, { refusal: "no" }) }, "blocked"],
    ["without an end", { body: openAiBody("x", { finish: null }) }, "open"],
  ])("that was %s says so", async (_name, answer, finish) => {
    fake.next(answer);
    expect(await ask(openAi())).toMatchObject({ finish });
  });

  it.each([
    ["a limit with seconds", openAiError(429, "rate_limit_exceeded", { "retry-after": "7" }), "rate", 7_000],
    [
      "a limit with milliseconds",
      openAiError(429, "rate_limit_exceeded", { "retry-after-ms": "120" }),
      "rate",
      120,
    ],
    [
      "a limit that its windows tell",
      openAiError(429, "rate_limit_exceeded", {
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "7.66s",
      }),
      "rate",
      7_660,
    ],
    ["a limit without a hint", openAiError(429, "rate_limit_exceeded"), "rate", undefined],
    ["an account that is used up", openAiError(429, "insufficient_quota"), "day", undefined],
    ["an overload", openAiError(503, "overloaded"), "busy", undefined],
    [
      "an HTML page",
      { status: 502, body: "<html></html>", headers: { "content-type": "text/html" } },
      "busy",
      undefined,
    ],
    ["a key that is none", openAiError(401, "invalid_api_key"), "refused", undefined],
    ["a bad request", openAiError(400, "context_length_exceeded"), "rejected", undefined],
    ["an answer off the schema", openAiError(400, "json_validate_failed"), "garbled", undefined],
    ["an empty body", { body: "", headers: { "content-type": "application/json" } }, "garbled", undefined],
    ["no choice", { body: { choices: [] } }, "garbled", undefined],
    ["a cut socket", { cut: "at_once" as const }, "unreachable", undefined],
  ])("that answers with %s has failed so, after one call", async (_name, answer, fault, retryAfterMs) => {
    fake.next(answer);
    expect(await faultOf(openAi())).toMatchObject({ fault, retryAfterMs });
    expect(fake.requests).toHaveLength(1);
  });

  it.each([
    ["1m2.5s", 62_500],
    ["250ms", 250],
    ["2h", 7_200_000],
    ["soon", undefined],
    [null, undefined],
  ])("tells the end of a window as %j", (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });
});

describe.each([
  ["Gemini", gemini],
  ["a server with OpenAI's API", openAi],
])("%s", (_name, provider) => {
  it("is let go of at once when the work is aborted, and that is no fault of its", async () => {
    const arrived = Promise.withResolvers<void>();
    await fake.close();
    fake = await startFakeProvider(async () => {
      arrived.resolve();
      return { after: new Promise(() => undefined) };
    });
    const controller = new AbortController();
    const work = ask(provider(), {}, controller.signal);
    await arrived.promise;
    const reason = new Error("cancelled");
    controller.abort(reason);
    await expect(work).rejects.toBe(reason);
  });

  it("that says nothing for too long has timed out", async () => {
    fake.next({ after: new Promise(() => undefined) });
    expect(await faultOf(provider(30))).toMatchObject({ fault: "timeout" });
  });

  it("has the time that it is given, and none of the 300 s that Node's fetch gives an answer", async () => {
    const { [Symbol.for("undici.globalDispatcher.1")]: dispatcher } = globalThis as Record<symbol, unknown>;
    const sent = vi.spyOn(dispatcher as { dispatch(options: object, handler: object): boolean }, "dispatch");
    try {
      await ask(provider()).catch(() => undefined);
      expect(sent.mock.calls.map(([options]) => options)).toEqual([
        expect.objectContaining({ headersTimeout: 0, bodyTimeout: 0 }),
      ]);
    } finally {
      sent.mockRestore();
    }
  });

  it("whose body breaks off has not answered", async () => {
    fake.next({ body: '{"candi', headers: { "content-type": "application/json" }, cut: "in_body" });
    expect(["unreachable", "garbled"]).toContain((await faultOf(provider())).fault);
  });
});
