import { ingestVideo, ProofroomError } from "@proofroom/contracts";
import type { Models, Question } from "@proofroom/models";
import { describe, expect, it } from "vitest";
import { FakeStepContext } from "../../capabilities/fake-step-context.ts";
import { createTranscribe } from "./transcribe.ts";
import { talk } from "./video-fixtures.ts";

/** A model that answers so much, and what its run may spend is spent then. */
function modelsWith(answers: string[], then: ProofroomError): Models {
  return {
    has: () => true,
    async ask<T>({ expected }: Question<T>) {
      const answer = answers.shift();
      if (answer === undefined || expected.kind !== "text") throw then;
      return { by: "watcher", value: (await expected.parse(answer)) as T };
    },
  };
}

const coarse = talk({ to: 600, silentFrom: 300 });
const transcribed = (then: ProofroomError) =>
  createTranscribe(modelsWith([coarse], then))("https://x.dev/v", new FakeStepContext(ingestVideo));

describe("a transcript with too few timestamps", () => {
  it("is used where a second one may not be paid for", async () => {
    const spent = new ProofroomError({ code: "budget", message: "It is spent." });
    const { cues, by } = await transcribed(spent);
    expect(cues.map(({ seconds }) => seconds)).toContain(360);
    expect(by).toEqual(["watcher"]);
  });

  it("is not used where the work is cancelled", async () => {
    const cancelled = new ProofroomError({ code: "cancelled", message: "It was cancelled." });
    await expect(transcribed(cancelled)).rejects.toBe(cancelled);
  });
});
