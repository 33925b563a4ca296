import { Flawed } from "@proofroom/models";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clockOf, secondsOf } from "./clock.ts";
import { coarseness, readTranscript } from "./read-transcript.ts";
import { talk } from "./video-fixtures.ts";

const whole = { from: 0, to: 2_700, total: null };

function flaw(answer: string, stretch = whole): string {
  const read = readTranscript(answer, stretch);
  return read instanceof Flawed ? read.hint : `taken: ${JSON.stringify(read)}`;
}

describe("a transcript", () => {
  it("is read with its title, its length and each timestamp, what is shown and code included", () => {
    const answer =
      "**Status:** ok\n**Title:** Retries\n**Duration:** 01:00\n\n[00:00] Hello to all of you.\n(Shown: code)\n```python\n[1:00] = x  # not a time\n```\n\n- **[00:30]** And\n# goodbye now.\n";
    expect(readTranscript(answer, whole)).toEqual({
      status: "ok",
      title: "Retries",
      duration: 60,
      cues: [
        {
          seconds: 0,
          text: "Hello to all of you.\n\n(Shown: code)\n```python\n[1:00] = x  # not a time\n```",
        },
        { seconds: 30, text: "And\ngoodbye now." },
      ],
    });
  });

  it("may count a later part from the part's own beginning", () => {
    const own = readTranscript(talk({ to: 300 }), { from: 2_700, to: 5_400, total: 3_000 });
    const whole = readTranscript(talk({ from: 2_700, to: 3_000 }), { from: 2_700, to: 5_400, total: 3_000 });
    expect(own).toMatchObject({ cues: [{ seconds: 2_700 }, { seconds: 2_725 }, ...Array(10).fill({})] });
    expect(whole).toMatchObject({ cues: [{ seconds: 2_700 }, { seconds: 2_725 }, ...Array(10).fill({})] });
  });

  it.each(["private", "removed", "live", "no_speech", "unavailable", "past_end"])(
    "that is none for a reason is told so: %s",
    (status) => {
      expect(readTranscript(`Status: ${status}\nReason: it is so.`, whole)).toEqual({ status });
      // Whoever says so and transcribes all the same has invented it.
      expect(readTranscript(talk().replace("Status: ok", `Status: ${status}`), whole)).toEqual({ status });
    },
  );

  it.each([
    ["has no times (a refusal)", "I'm sorry, I cannot watch videos.", "no line with a timestamp"],
    ["is empty behind its times", "Status: ok\nDuration: 00:20\n\n[00:00]\n[00:10]", "no words"],
    ["does not say how long the video is", talk().replace(/^Duration.*$/m, ""), "duration"],
    ["goes back in time", talk().replace("[00:50]", "[00:20]"), "do not rise: 00:20 follows 00:25"],
    ["stands still", talk().replace("[00:50]", "[00:25]"), "do not rise"],
    ["goes beyond the end of the video", talk({ to: 300, duration: "02:00" }), "beyond 02:00"],
    ["ends long before the video does", talk({ to: 120, duration: "39:00" }), "between 01:40 and 39:00"],
    ["begins late", talk({ from: 600, to: 900 }), "between 00:00 and 10:00"],
    ["leaves a stretch out", talk({ to: 600, every: 200 }), "between 00:00 and 03:20"],
    [
      "says the same for ever",
      talk({ to: 600 })
        .replace(/Point \d+ of.*/g, "End of document.")
        .replace(/^\(Shown.*\n/gm, ""),
      "again and again",
    ],
  ])("that %s is refused with the reason", (_name, answer, reason) => {
    expect(flaw(answer)).toContain(reason);
  });

  it("with 60 s between two timestamps is one, and none with one every 30 s", () => {
    const lack = (answer: string) => {
      const read = readTranscript(answer, whole);
      return read instanceof Flawed || read.status !== "ok" ? "no transcript" : coarseness(read.cues);
    };
    expect(lack(talk({ to: 600, silentFrom: 300 }))).toContain("no timestamp between 05:00 and 06:00");
    expect(lack(talk({ to: 600, every: 45 }))).toBeNull();
  });

  it("is refused where it goes beyond the part that was asked for", () => {
    expect(flaw(talk({ to: 4_000 }))).toContain("beyond 45:00");
  });

  it.each([
    ["blanks in the head", `title: a${" ".repeat(1_000_000)}b`],
    ["marks before the head", `${"*_# ".repeat(250_000)}status`],
    ["a long fence around all", `${"`".repeat(500_000)}\nstatus: ok\n${"x\n".repeat(250_000)}`],
    ["fences that nothing closes", "```a\n~~~b\n".repeat(100_000)],
    ["a separator of lines in a cue", `[00:01]${" ".repeat(1_000_000)}a\u2028b`],
    ["blanks within a time", `[00:01${" ".repeat(1_000_000)}`],
  ])("is no work of minutes with %s", (_name, text) => {
    expect(readTranscript(text, whole)).toBeInstanceOf(Flawed);
  });

  it("never reads anything else as evidence, whatever the text is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(readTranscript(text, whole)).toBeInstanceOf(Flawed);
      }),
    );
  });
});

describe("a time", () => {
  it("is read as it is written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99 * 3_600 }), (seconds) => {
        expect(secondsOf(clockOf(seconds))).toBe(seconds);
      }),
    );
    expect([secondsOf("75:30"), secondsOf("1:02:03"), secondsOf("1:75"), secondsOf("x")]).toEqual([
      4_530,
      3_723,
      null,
      null,
    ]);
  });
});
