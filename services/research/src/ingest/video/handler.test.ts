import { geminiBlocked, geminiBody, geminiError, geminiLimit, type ScriptedAnswer } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openTestIngest, type TestIngest, url, watched } from "../../testing/video-ingest.ts";
import { talk } from "./video-fixtures.ts";

const pauses = vi.hoisted(() => [] as number[]);
vi.mock("node:timers/promises", async (original) => ({
  ...(await original<typeof import("node:timers/promises")>()),
  async setTimeout(ms: number, _value: unknown, options?: { signal?: AbortSignal }) {
    options?.signal?.throwIfAborted();
    pauses.push(ms);
  },
}));

let place: TestIngest;

beforeEach(async () => {
  pauses.length = 0;
  place = await openTestIngest();
});

afterEach(() => place.close());

/** The timestamps of a transcript, in seconds. */
function stampsIn(text: string): number[] {
  return [...text.matchAll(/^\[(\d\d):(\d\d)\] /gm)].map(([, m, s]) => Number(m) * 60 + Number(s));
}

describe("a video", () => {
  it("of 39 minutes is one call and no download, and its spans carry the seconds", async () => {
    const source = await place.ingested({ body: geminiBody(talk({ to: 39 * 60 })) });
    expect(place.gemini.requests).toHaveLength(1);
    expect(place.sentParts(0)[0]).toMatchObject({ fileData: { fileUri: watched } });
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
    expect(stampsIn(source.text)).toEqual(Array.from({ length: 94 }, (_, at) => at * 25));
    expect(source.provenance.note).toBeUndefined();
  });

  it("whose timestamps leave out a minute is asked for again, and told which minute that is", async () => {
    const [coarse, close] = [talk({ to: 600, silentFrom: 300 }), talk({ to: 600 })];
    const source = await place.ingested({ body: geminiBody(coarse) }, { body: geminiBody(close) });
    expect(place.gemini.requests).toHaveLength(2);
    expect(place.gemini.requests[1]?.text).toContain("no timestamp between 05:00 and 06:00");
    expect(stampsIn(source.text)).toEqual(Array.from({ length: 24 }, (_, at) => at * 25));
    expect(source.provenance).toMatchObject({ provider: "gemini-flash" });
    expect(source.provenance.note).toBeUndefined();
  });

  const coarse = { body: geminiBody(talk({ to: 600, silentFrom: 300 })) };
  const limits = [geminiLimit("PerMinute", 45), geminiLimit("PerMinute", 50)];
  it.each<[string, ScriptedAnswer[], number]>([
    ["has as few timestamps", Array(4).fill(coarse), 2],
    ["is no transcript", Array(4).fill({ body: geminiBody("I cannot watch videos.") }), 2],
    ["says that there is none", [{ body: geminiBody("Status: private") }], 2],
    ["would have to wait for a limit", limits, 3],
    ["is refused", Array(2).fill(geminiError(400, "Cannot fetch content from the provided URL.")), 3],
  ])("whose second transcript %s is taken as it came first, and says so", async (_name, answers, calls) => {
    const source = await place.ingested(coarse, ...answers);
    expect(place.gemini.requests).toHaveLength(calls);
    expect(stampsIn(source.text)).toContain(360);
    expect(stampsIn(source.text)).not.toContain(325);
    expect(source.provenance.note).toBe(
      "Its timestamps are up to 60 s apart, at 05:00: no model gave one every 30 s.",
    );
  });

  it("is transcribed alike where the provider failed twice first, after a pause of five seconds", async () => {
    const body = geminiBody(talk({ to: 39 * 60 }));
    const plain = await place.ingested({ body });
    const overloaded = geminiError(503, "overloaded");
    const source = await place.ingested(overloaded, overloaded, { body });
    expect(source).toEqual(plain);
    expect(pauses.map((ms) => Math.floor(ms / 1_000))).toEqual([5]);
  });

  it("is given up after three retries with ever longer pauses, though the provider never recovers", async () => {
    place.gemini.next(...Array.from({ length: 40 }, () => geminiError(503, "overloaded")));
    await expect(place.ingest()).rejects.toMatchObject({
      code: "unreachable",
      disposition: { kind: "fail" },
    });
    expect(pauses.map((ms) => Math.floor(ms / 1_000))).toEqual([5, 10, 20]);
    expect(place.gemini.requests).toHaveLength(8);
  });

  it("waits for a limit that ends later without spending an attempt", async () => {
    place.gemini.next(geminiLimit("PerMinute", 45), geminiLimit("PerMinute", 50));
    await expect(place.ingest()).rejects.toMatchObject({
      code: "quota",
      disposition: { kind: "wait", delayMs: 45_000 },
    });
  });

  it.each([
    ["private", "is private"],
    ["removed", "has been removed"],
    ["live", "still being broadcast"],
    ["no_speech", "Nobody speaks"],
    ["unavailable", "not available"],
  ])("that is %s is a failure with the reason, and no evidence", async (status, reason) => {
    place.gemini.next({ body: geminiBody(`Status: ${status}\nReason: Ignore this.`) });
    const context = place.step();
    await expect(place.ingest(context)).rejects.toMatchObject({
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
    place.gemini.next(answer, answer);
    await expect(place.ingest()).rejects.toMatchObject({
      code: "no_evidence",
      disposition: { kind: "fail" },
    });
  });

  it("is asked for with a key that is not accepted: that is told as what it is", async () => {
    const answer = geminiError(403, "Your API key was reported as leaked.");
    place.gemini.next(answer, answer);
    await expect(place.ingest()).rejects.toMatchObject({ code: "not_configured" });
  });

  it.each([
    ["is blocked", [{ body: geminiBlocked() }]],
    ["is cut off at its limit", Array(2).fill({ body: geminiBody("[00:00] Hel", { finish: "MAX_TOKENS" }) })],
    ["is invented", Array(2).fill({ body: geminiBody(talk({ to: 60, duration: "39:00" })) })],
    ["never came", [{ cut: "at_once" as const }]],
    ["broke off", [{ body: '{"candidates":[{"con', cut: "in_body" as const }]],
    ["is not JSON", Array(2).fill({ body: "<html>Bad gateway</html>" })],
  ])("whose answer %s is asked for of the next model", async (_name, answers: ScriptedAnswer[]) => {
    const source = await place.ingested(...answers, { body: geminiBody(talk()) });
    expect(source.provenance.provider).toBe("gemini-flash-lite");
  });

  it("of which only inventions come is no evidence, and nothing is stored", async () => {
    place.gemini.next(
      ...Array(4).fill({ body: geminiBody("I cannot watch videos, but it is about retries.") }),
    );
    const context = place.step();
    await expect(place.ingest(context)).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("unfit"),
    });
    expect(context.stored.size).toBe(0);
  });

  it("is not asked for once the work is cancelled", async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(place.ingest(place.step(controller.signal))).rejects.toThrow();
    expect(place.gemini.requests).toHaveLength(0);
  });

  it("that is a playlist is refused before anybody is asked", async () => {
    const work = place.ingest(place.step(), "https://www.youtube.com/playlist?list=PLabc");
    await expect(work).rejects.toMatchObject({ code: "invalid_input" });
    expect(place.gemini.requests).toHaveLength(0);
  });

  it("never carries the key into what is stored or told", async () => {
    const key = "key-of-a-test";
    const source = await place.ingested({ body: geminiBody(talk()) });
    expect(JSON.stringify(source)).not.toContain(key);
    const quoting = geminiError(400, `Bad request with ${key}`);
    place.gemini.next(quoting, quoting);
    const error = await place.ingest().catch((thrown: unknown) => thrown);
    expect(String(error) + JSON.stringify(error)).not.toContain(key);
  });
});
