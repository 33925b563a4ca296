import { geminiBody, geminiError } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestIngest, type TestIngest } from "../../testing/video-ingest.ts";
import { clockOf } from "./clock.ts";
import { talk } from "./video-fixtures.ts";

let place: TestIngest;

beforeEach(async () => {
  place = await openTestIngest();
});

afterEach(() => place.close());

describe("a video", () => {
  it("that is long is transcribed in parts, the later ones by their offset, and only as many as there are", async () => {
    const source = await place.ingested(
      { body: geminiBody(talk({ to: 2_400, duration: "1:30:00" })) },
      { body: geminiBody(talk({ from: 2_400, to: 4_800 })) },
      { body: geminiBody(talk({ to: 600 })) },
    );
    expect(place.gemini.requests).toHaveLength(3);
    expect(place.sentParts(2)[0]?.videoMetadata).toMatchObject({ startOffset: "4800s", endOffset: "7200s" });
    expect(source.text).toContain("[1:29:35] ");
    expect(source.spans.at(-1)?.locator.seconds).toBe(5_375);
  });

  it.each([
    ["the model says so", { body: geminiBody("Status: past_end\nReason: nothing is there.") }, 2],
    ["the provider refuses it", geminiError(400, "out of range"), 3],
  ])("whose length the model was not shown ends where %s", async (_name, answer, calls) => {
    const first = { body: geminiBody(talk({ to: 2_400, duration: "40:00" })) };
    const source = await place.ingested(first, answer, answer);
    expect(source.text).toContain("[39:35] ");
    expect(place.gemini.requests).toHaveLength(calls);
  });

  it("in parts has each line once and in its order, also where the provider cuts it early and clocks are off", async () => {
    const line = (seconds: number, n: number) =>
      `[${clockOf(seconds)}] This is the line with the number ${n}.`;
    const part = (of: string[]) => ({
      body: geminiBody(["Status: ok", "Title: Long", "Duration: 1:30:00", "", ...of].join("\n")),
    });
    const times = Array.from({ length: 360 }, (_, n) => n * 15);
    const within = (from: number, to: number) =>
      times.flatMap((at, n) => (at >= from && at < to ? [line(at, n)] : []));
    const source = await place.ingested(
      // Its last line is told to begin behind its end.
      part([...within(0, 2_400), line(2_403, 160)]),
      // The same line begins it, and the next seems to be said before that.
      part([line(2_396, 160), line(2_401, 161), ...within(2_430, 4_800)]),
      part(within(4_800, 5_400)),
    );
    const numbers = [...source.text.matchAll(/with the number (\d+)\./g)].map(([, n]) => Number(n));
    expect(numbers).toEqual(times.map((_, n) => n));
    const seconds = source.spans.map(({ locator }) => locator.seconds ?? -1);
    expect(seconds).toEqual(seconds.toSorted((one, other) => one - other));
  });
});
