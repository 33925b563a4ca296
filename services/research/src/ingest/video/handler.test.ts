import { ingestVideo, type Source, sourceSchema } from "@proofroom/contracts";
import {
  geminiBlocked,
  geminiBody,
  geminiError,
  geminiLimit,
  openTestModels,
  type ScriptedAnswer,
  type TestModels,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeStepContext } from "../../capabilities/fake-step-context.ts";
import { createIngestVideo } from "./handler.ts";
import { talk } from "./video-fixtures.ts";

const pauses = vi.hoisted(() => [] as number[]);
vi.mock("node:timers/promises", async (original) => ({
  ...(await original<typeof import("node:timers/promises")>()),
  async setTimeout(ms: number, _value: unknown, options?: { signal?: AbortSignal }) {
    options?.signal?.throwIfAborted();
    pauses.push(ms);
  },
}));

const url = "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90";
const watched = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";

let opened: TestModels;

beforeEach(async () => {
  pauses.length = 0;
  opened = await openTestModels();
});

afterEach(() => opened.close());

/** A new step each time, so that nothing is answered from what was recorded before. */
let steps = 0;
function step(signal?: AbortSignal): FakeStepContext {
  steps += 1;
  return new FakeStepContext(ingestVideo, {
    stepId: `ingest_video-${steps}`,
    ...(signal === undefined ? {} : { signal }),
  });
}

function ingest(context = step(), address = url) {
  const handler = createIngestVideo({ models: opened.models, configured: new Set(), now: () => new Date(0) });
  return handler({ url: address }, context);
}

async function ingested(...answers: ScriptedAnswer[]): Promise<Source> {
  opened.gemini.next(...answers);
  const context = step();
  const { artifact } = await ingest(context);
  return sourceSchema.parse(JSON.parse(context.stored.get(artifact) ?? ""));
}

interface SentPart {
  fileData?: { fileUri: string };
  videoMetadata?: { startOffset?: string; endOffset?: string };
}

function sentParts(at: number): SentPart[] {
  const body = opened.gemini.requests[at]?.json() as { contents: { parts: SentPart[] }[] };
  return body.contents[0]?.parts ?? [];
}

describe("a video", () => {
  it("of 39 minutes is one call and no download, and its spans carry the seconds", async () => {
    const source = await ingested({ body: geminiBody(talk({ to: 39 * 60 })) });
    expect(opened.gemini.requests).toHaveLength(1);
    expect(sentParts(0)[0]).toMatchObject({ fileData: { fileUri: watched } });
    expect(source).toMatchObject({ kind: "video", ref: url, title: "Retries in practice" });
    expect(source.provenance).toMatchObject({ method: "api", provider: "gemini-flash", final_url: watched });
    const spans = source.spans.map(({ start, end, locator }) => ({
      text: source.text.slice(start, end),
      seconds: locator.seconds,
    }));
    expect(spans.at(-1)).toEqual({
      text: "Point 2325 of the talk is that clients wait before they ask again.",
      seconds: 2_325,
    });
    const stamps = [...source.text.matchAll(/^\[(\d\d):(\d\d)\] /gm)].map(
      ([, m, s]) => Number(m) * 60 + Number(s),
    );
    expect(stamps.every((at, n) => at - (stamps[n - 1] ?? 0) <= 30)).toBe(true);
  });

  it("is transcribed alike where the provider failed twice first, after a pause of five seconds", async () => {
    const body = geminiBody(talk({ to: 39 * 60 }));
    const plain = await ingested({ body });
    const overloaded = geminiError(503, "overloaded");
    const source = await ingested(overloaded, overloaded, { body });
    expect(source.text).toBe(plain.text);
    expect(source.sha256).toBe(plain.sha256);
    expect(pauses.map((ms) => Math.floor(ms / 1_000))).toEqual([5]);
  });

  it("is given up after three retries with ever longer pauses, though the provider never recovers", async () => {
    opened.gemini.next(...Array.from({ length: 40 }, () => geminiError(503, "overloaded")));
    await expect(ingest()).rejects.toMatchObject({ code: "unreachable", disposition: { kind: "fail" } });
    expect(pauses.map((ms) => Math.floor(ms / 1_000))).toEqual([5, 10, 20]);
    expect(opened.gemini.requests).toHaveLength(8);
  });

  it("waits for a limit that ends later without spending an attempt", async () => {
    opened.gemini.next(geminiLimit("PerMinute", 45), geminiLimit("PerMinute", 50));
    await expect(ingest()).rejects.toMatchObject({
      code: "quota",
      disposition: { kind: "wait", delayMs: 45_000 },
    });
  });

  it("that is long is transcribed in parts, the later ones by their offset, and only as many as there are", async () => {
    const source = await ingested(
      { body: geminiBody(talk({ to: 2_700, duration: "1:40:00" })) },
      { body: geminiBody(talk({ from: 2_700, to: 5_400 })) },
      { body: geminiBody(talk({ to: 600 })) },
    );
    expect(opened.gemini.requests).toHaveLength(3);
    expect(sentParts(2)[0]?.videoMetadata).toMatchObject({ startOffset: "5400s", endOffset: "8100s" });
    expect(source.text).toContain("[1:39:35] ");
    expect(source.spans.at(-1)?.locator.seconds).toBe(5_975);
  });

  it.each([
    ["the model says so", { body: geminiBody("Status: past_end\nReason: nothing is there.") }, 2],
    ["the provider refuses it", geminiError(400, "out of range"), 3],
  ])("whose length the model was not shown ends where %s", async (_name, answer, calls) => {
    const first = { body: geminiBody(talk({ to: 2_700, duration: "45:00" })) };
    const source = await ingested(first, answer, answer);
    expect(source.text).toContain("[44:35] ");
    expect(opened.gemini.requests).toHaveLength(calls);
  });

  it.each([
    ["private", "is private"],
    ["removed", "has been removed"],
    ["live", "still being broadcast"],
    ["no_speech", "Nobody speaks"],
    ["unavailable", "not available"],
  ])("that is %s is a failure with the reason, and no evidence", async (status, reason) => {
    opened.gemini.next({ body: geminiBody(`Status: ${status}\nReason: Ignore this.`) });
    const context = step();
    await expect(ingest(context)).rejects.toMatchObject({
      code: "no_evidence",
      message: expect.stringContaining(reason),
      disposition: { kind: "fail" },
    });
    expect(context.stored.size).toBe(0);
  });

  it.each([
    ["forbids it", geminiError(403, "The caller does not have permission")],
    ["cannot fetch it", geminiError(400, "Cannot fetch content from the provided URL.")],
  ])("that the provider %s is a failure of the video, not of the key", async (_name, answer) => {
    opened.gemini.next(answer, answer);
    await expect(ingest()).rejects.toMatchObject({ code: "no_evidence", disposition: { kind: "fail" } });
  });

  it("is asked for with a key that is not accepted: that is told as what it is", async () => {
    const answer = geminiError(403, "Your API key was reported as leaked.");
    opened.gemini.next(answer, answer);
    await expect(ingest()).rejects.toMatchObject({ code: "not_configured" });
  });

  it.each([
    ["is blocked", [{ body: geminiBlocked() }]],
    ["is cut off at its limit", Array(2).fill({ body: geminiBody("[00:00] Hel", { finish: "MAX_TOKENS" }) })],
    ["is invented", Array(2).fill({ body: geminiBody(talk({ to: 60, duration: "39:00" })) })],
    ["never came", [{ cut: "at_once" as const }]],
    ["broke off", [{ body: '{"candidates":[{"con', cut: "in_body" as const }]],
    ["is not JSON", Array(2).fill({ body: "<html>Bad gateway</html>" })],
  ])("whose answer %s is asked for of the next model", async (_name, answers: ScriptedAnswer[]) => {
    const source = await ingested(...answers, { body: geminiBody(talk()) });
    expect(source.provenance.provider).toBe("gemini-flash-lite");
  });

  it("of which only inventions come is no evidence, and nothing is stored", async () => {
    opened.gemini.next(
      ...Array(4).fill({ body: geminiBody("I cannot watch videos, but it is about retries.") }),
    );
    const context = step();
    await expect(ingest(context)).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("unfit"),
    });
    expect(context.stored.size).toBe(0);
  });

  it("is not asked for once the work is cancelled", async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(ingest(step(controller.signal))).rejects.toThrow();
    expect(opened.gemini.requests).toHaveLength(0);
  });

  it("that is a playlist is refused before anybody is asked", async () => {
    const work = ingest(step(), "https://www.youtube.com/playlist?list=PLabc");
    await expect(work).rejects.toMatchObject({ code: "invalid_input" });
    expect(opened.gemini.requests).toHaveLength(0);
  });

  it("never carries the key into what is stored or told", async () => {
    const key = "key-of-a-test";
    const source = await ingested({ body: geminiBody(talk()) });
    expect(JSON.stringify(source)).not.toContain(key);
    const quoting = geminiError(400, `Bad request with ${key}`);
    opened.gemini.next(quoting, quoting);
    const error = await ingest().catch((thrown: unknown) => thrown);
    expect(String(error) + JSON.stringify(error)).not.toContain(key);
  });
});
