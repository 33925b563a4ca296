import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { geminiBody, makeTempFolder, startFakeProvider } from "@proofroom/testing";
import { expect, it } from "vitest";
import type { RunResult } from "./output/results.ts";
import { articleShape } from "./testing/article-shape.ts";
import { askedIn, goodAnswer } from "./testing/good-model.ts";
import { writeLongGuideline } from "./testing/long-guideline.ts";
import { runCli } from "./testing/run-cli.ts";

const charactersPerToken = 4;
/** What a model thinks before it answers, in tokens: it is billed. */
const thought = 1_000;

/** A question to which the model answers at the length that it is asked for: it stops at the half where little is to the point. */
function atLength(text: string): string {
  return text.replace(/About (\d+) words/, (_words, count: string) => `About ${2 * Number(count)} words`);
}

it("an article of 2,000 words from six sources fits a free tier: 60 calls a day, and under ten cents", {
  timeout: 90_000,
}, async () => {
  const folder = await makeTempFolder();
  const fake = await startFakeProvider((request) => {
    const { stage, text } = askedIn(request);
    const answer = goodAnswer({ stage, text: atLength(text) });
    return {
      body: geminiBody(answer, {
        inputTokens: Math.ceil(request.text.length / charactersPerToken),
        outputTokens: Math.ceil(answer.length / charactersPerToken) + thought,
      }),
    };
  });
  try {
    const done = await runCli(["write", await writeLongGuideline(folder.path), "--json", "--out", "out"], {
      home: join(folder.path, "home"),
      cwd: folder.path,
      env: { GEMINI_API_KEY: "k", GEMINI_BASE_URL: fake.base },
    });
    const { status, error, cost } = JSON.parse(done.stdout) as RunResult;
    expect({ status, error }).toEqual({ status: "succeeded", error: null });
    expect(cost?.calls).toBe(fake.requests.length);
    const { words, references } = articleShape(
      await readFile(join(folder.path, "out", "article.md"), "utf8"),
    );
    expect(words).toBeGreaterThanOrEqual(1_800);
    expect(words).toBeLessThanOrEqual(2_600);
    expect(references).toHaveLength(6);
    expect(cost?.calls).toBeGreaterThan(8);
    expect(cost?.calls).toBeLessThanOrEqual(60);
    expect(cost?.usd).toBeLessThan(0.1);
  } finally {
    await fake.close();
    await folder.close();
  }
});
