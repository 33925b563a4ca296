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
  ])("stays as it is where the model %s, and says so: chatter is no evidence", async (_name, answers) => {
    const cleaned = await clean(...(answers as ScriptedAnswer[]));
    expect(cleaned).toEqual({ ...page, provenance: { ...page.provenance, note: expect.any(String) } });
    expect(cleaned.provenance.note).toMatch(/^The page was not cleaned: No model .*cleaner/);
  });

  test("keeps the note that it had", async () => {
    const note = "It was fetched from here: Firecrawl is away.";
    const noted = { ...page, provenance: { ...page.provenance, note } };
    const cleaned = await createCleanPage(withoutModels)(noted, new FakeStepContext(ingestWebPage));
    expect(cleaned.provenance.note).toBe(
      `${note} The page was not cleaned: no model that can be the cleaner is configured.`,
    );
  });

  test("stays as it is where it is too long, and says so without asking", async () => {
    const long = testSource("https://a.dev/", `# Retries\n\n${"A client waits. ".repeat(13_000)}\n`);
    const cleaned = await createCleanPage(opened.models)(long, new FakeStepContext(ingestWebPage));
    expect(cleaned.text).toBe(long.text);
    expect(cleaned.provenance.note).toContain("more than 200000 characters");
    expect(opened.gemini.requests).toEqual([]);
  });

  test("has no note where it was cleaned", async () => {
    expect((await clean(drop(1))).provenance.note).toBeUndefined();
  });

  test("waits for a limit that ends later", async () => {
    const work = clean(geminiLimit("PerDay", 900), geminiLimit("PerDay", 900));
    await expect(work).rejects.toMatchObject({ disposition: { kind: "wait" } });
  });

  test("stays as it is without a model, and says so", async () => {
    const cleaned = await createCleanPage(withoutModels)(page, new FakeStepContext(ingestWebPage));
    expect(cleaned.text).toBe(page.text);
    expect(cleaned.provenance.note).toBe(
      "The page was not cleaned: no model that can be the cleaner is configured.",
    );
  });
});
