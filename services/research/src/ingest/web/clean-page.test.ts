import { ingestWebPage } from "@proofroom/contracts";
import {
  geminiBody,
  geminiError,
  geminiLimit,
  openTestModels,
  type ScriptedAnswer,
  type TestModels,
  withoutModels,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FakeStepContext } from "../../capabilities/fake-step-context.ts";
import { testSource } from "../../capabilities/test-source.ts";
import { createCleanPage } from "./clean-page.ts";

const page = testSource(
  "https://a.dev/",
  "# Retries\n\nAccept all cookies to go on.\n\nA client waits before it asks again.\n\n```python\nwait(2)\n```\n\nIt waits longer each time.\n\nRead next: gardens.\n",
);

let opened: TestModels;
beforeEach(async () => {
  opened = await openTestModels();
});
afterEach(() => opened.close());

function clean(...answers: ScriptedAnswer[]) {
  opened.gemini.next(...answers);
  return createCleanPage(opened.models)(page, new FakeStepContext(ingestWebPage));
}

function drop(...numbers: number[]): ScriptedAnswer {
  return { body: geminiBody(JSON.stringify({ drop: numbers })) };
}

describe("a page that is cleaned", () => {
  test("loses the passages that the model names and keeps all else word for word, and says so", async () => {
    const cleaned = await clean(drop(1, 5));
    expect(cleaned.text).toBe(
      "# Retries\n\nA client waits before it asks again.\n\n```python\nwait(2)\n```\n\nIt waits longer each time.\n",
    );
    expect(cleaned.spans.map(({ start, end }) => cleaned.text.slice(start, end))).toEqual([
      "A client waits before it asks again.",
      "wait(2)",
      "It waits longer each time.",
    ]);
    expect(cleaned.provenance.omissions).toEqual(["2 passages that a model took for no content"]);
    expect(cleaned.provenance.content_sha256).toBe(page.provenance.content_sha256);
  });

  test.each([
    ["a passage that is not there", drop(1, 99), "99 is not in the list"],
    ["most of the page", drop(1, 2, 3, 4, 5), "most of the page"],
  ])("is asked about once more where the model names %s", async (_name, bad, hint) => {
    expect((await clean(bad, drop(1))).text).not.toContain("cookies");
    expect(opened.gemini.requests[1]?.text).toContain(hint);
  });

  test.each([
    ["is down", Array(4).fill({ cut: "at_once" })],
    ["does not take the key", Array(2).fill(geminiError(403, "no"))],
    [
      "answers with the page itself",
      Array(4).fill({ body: geminiBody("Here's the cleaned markdown: # Retries") }),
    ],
  ])("stays as it is where the model %s: chatter is no evidence", async (_name, answers) => {
    expect(await clean(...(answers as ScriptedAnswer[]))).toEqual(page);
  });

  test("waits for a limit that ends later", async () => {
    const work = clean(geminiLimit("PerDay", 900), geminiLimit("PerDay", 900));
    await expect(work).rejects.toMatchObject({ disposition: { kind: "wait" } });
  });

  test("stays as it is without a model", async () => {
    expect(await createCleanPage(withoutModels)(page, new FakeStepContext(ingestWebPage))).toBe(page);
  });
});
