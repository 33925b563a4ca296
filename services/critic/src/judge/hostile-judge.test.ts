import { critiqueSchema } from "@proofroom/contracts";
import { geminiBody, openTestModels, type TestModels } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCriticHandlers } from "../index.ts";
import { contextOf } from "../testing/memory-context.ts";
import { articleWith, outline, sources } from "../testing/planted-article.ts";

let opened: TestModels;
beforeEach(async () => {
  opened = await openTestModels();
});
afterEach(() => opened.close());

const full = { technical_depth: 30, structure_clarity: 20, critiques: [], revisions: [] };

async function judged(judgement: unknown, defects: Parameters<typeof articleWith>[0] = new Set()) {
  const body = { body: geminiBody(typeof judgement === "string" ? judgement : JSON.stringify(judgement)) };
  opened.gemini.next(body, body, body, body);
  const index = [...sources].map(([id, { ref, kind, title, sha256 }]) => {
    return { id, ref, kind, title, sha256, words: 40, artifact: `${id}.json` };
  });
  const stored = new Map([
    ["article.md", `${articleWith(defects)}`],
    [".nova/article_outline.json", JSON.stringify(outline)],
    [".nova/sources.json", JSON.stringify({ v: 1, failures: [], sources: index })],
    ...[...sources].map(([id, source]): [string, string] => [`${id}.json`, JSON.stringify(source)]),
  ]);
  const handlers = createCriticHandlers({ models: opened.models });
  await handlers.verify_citations({ round: 0 }, contextOf(stored, "verify_citations"));
  const output = await handlers.critic_evaluate_article(
    { round: 0 },
    contextOf(stored, "critic_evaluate_article"),
  );
  return {
    output,
    critique: critiqueSchema.parse(JSON.parse(stored.get(".nova/critic_evaluation.json") ?? "")),
  };
}

describe("a judge", () => {
  test("that always gives full points raises no score and waves nothing through", async () => {
    const measured = await judged("nothing", new Set(["unsupported"]));
    const praised = await judged(full, new Set(["unsupported"]));
    expect(praised.critique.category_scores).toEqual(measured.critique.category_scores);
    expect(praised.critique.status).toBe("REVISE");
    expect(praised.output.blocking).toEqual(measured.output.blocking);
  });

  test("that always gives nothing withholds approval, and blocks nothing", async () => {
    const { critique, output } = await judged({ ...full, technical_depth: 0, structure_clarity: 0 });
    expect(critique).toMatchObject({ status: "REVISE", category_scores: { technical_depth: 0 } });
    expect(output.blocking).toEqual([]);
  });

  test.each([
    ["gives more points than there are", { ...full, technical_depth: 1_000 }],
    ["gives points below none", { ...full, structure_clarity: -1 }],
    [
      "wants a section changed that is not there",
      { ...full, revisions: [{ section_id: "intro", instruction: "x" }] },
    ],
    ["says something else", "Great article! 10/10"],
  ])(
    "that %s is not listened to: what is measured stands, and the reason is told",
    async (_name, judgement) => {
      const { critique, output } = await judged(judgement);
      expect(critique.judged_by).toBe("measurements");
      expect(output.reason).toMatch(/No judgement/);
      expect(opened.gemini.requests).toHaveLength(4);
    },
  );

  test("whose JSON is cut off at its limit is asked twice and no more (a reviewer loops on truncated JSON)", async () => {
    const cut = { body: geminiBody('{"technical_depth": 30, "critiques": ["', { finish: "MAX_TOKENS" }) };
    opened.gemini.next(cut, cut, cut, cut);
    const { critique, output } = await judged(full);
    expect(critique.judged_by).toBe("measurements");
    expect(output.reason).toMatch(/No judgement/);
    expect(opened.gemini.requests).toHaveLength(4);
  });

  test("that says the same again and again is heard once", async () => {
    const revision = { section_id: outline.sections[0]?.section_id, instruction: "Say what a broker is." };
    const { critique } = await judged({
      ...full,
      critiques: Array(10).fill("It has no example."),
      revisions: Array(8).fill(revision),
    });
    expect(critique.specific_critiques.filter((one) => one === "It has no example.")).toHaveLength(1);
    expect(critique.required_revisions.filter(({ kind }) => kind === "editorial")).toHaveLength(1);
  });
});
