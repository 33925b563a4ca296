import { createHash } from "node:crypto";
import { artifact, gatheredArtifact, generateNextQueries, type Source } from "@proofroom/contracts";
import { extractive, type Models } from "@proofroom/models";
import { geminiBody, geminiLimit, openTestModels, type TestModels, withoutModels } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Round } from "../search/round.ts";
import { FakeStepContext } from "./fake-step-context.ts";
import { createGenerateNextQueries } from "./generate-next-queries.ts";
import { gatheredList, sourceArtifact, testSource } from "./test-source.ts";

const guideline = `# Retries

## Section 1: Waiting
- exponential backoff doubles the pause between attempts
- jitter spreads clients over time

## Section 2: Giving up
- circuit breakers stop calling a broken service
`;

const backoff = testSource(
  "notes.md",
  "# Notes\n\nWith exponential backoff a client doubles the pause between its attempts.\n\nJitter spreads the clients over time, so that they do not come back together.\n",
);
const breakers = testSource(
  "https://x.dev/breakers",
  "# Breakers\n\nCircuit breakers stop calling a broken service until it has recovered.\n",
);

function stored(sources: readonly Source[], rounds: readonly Partial<Round>[] = []): Record<string, unknown> {
  return {
    [artifact.guideline]: guideline,
    [gatheredArtifact("process_local_files")]: gatheredList(sources),
    ...Object.fromEntries(sources.map((source) => [sourceArtifact(source.ref), source])),
    ...Object.fromEntries(
      rounds.map((round, at) => {
        const step_id = `run_web_research-${String(at).padStart(16, "0")}`;
        const whole: Round = {
          v: 1,
          capability: "run_web_research",
          step_id,
          generation: 1,
          provider: "tavily",
          place: at + 1,
          at: "2026-03-01T12:00:00.000Z",
          queries: [],
          found: [],
          failures: [],
          notes: [],
          ...round,
        };
        return [`.nova/searches/${step_id}.g1.json`, whole];
      }),
    ),
  };
}

function found(...pages: string[]): Pick<Round, "found"> {
  return {
    found: pages.map((page) => ({
      query: "q",
      ref: `https://${page}/`,
      key: createHash("sha256").update(page).digest("hex"),
      title: page,
      text: "What is said there.",
      omissions: [],
    })),
  };
}

async function propose(given: Record<string, unknown>, over: { round?: number; models?: Models } = {}) {
  const context = new FakeStepContext(generateNextQueries, { stored: given });
  const { round = 1, models = withoutModels } = over;
  const output = await createGenerateNextQueries(models)({ n_queries: 5, round }, context);
  return {
    output,
    json: JSON.parse(context.stored.get(artifact.nextQueries) ?? ""),
    text: context.stored.get(artifact.nextQueriesText) ?? "",
  };
}

describe("the next queries without a model", () => {
  test("are about the points that the evidence covers least, with the gaps and the reasons on file", async () => {
    const { output, json, text } = await propose(stored([backoff]));
    expect(output).toMatchObject({ written_by: extractive, reason: null });
    expect(output.gaps).toEqual(["Giving up: circuit breakers stop calling a broken service"]);
    expect(output.queries).toEqual([
      {
        question: "Retries: circuit breakers stop calling a broken service",
        reason: expect.stringMatching(/source|sentence/),
      },
    ]);
    expect(json).toEqual({ queries: output.queries, gaps: output.gaps });
    expect(text).toBe(
      `### Candidate Web-Search Queries\n\n1. ${output.queries[0]?.question}\nReason: ${output.queries[0]?.reason}\n\n### Gaps\n\n- ${output.gaps[0]}\n`,
    );
  });

  test("are all points where there is no evidence at all, as many as were asked for", async () => {
    const { output } = await propose(stored([]));
    expect(output.queries).toHaveLength(3);
  });

  test("are none where no gap is left, and the reason is told (gaps unchanged for 100 steps)", async () => {
    const { output, json } = await propose(stored([backoff, breakers]));
    expect(output).toMatchObject({ queries: [], gaps: [], reason: "No gap is left." });
    expect(json).toEqual({ queries: [], gaps: [], reason: "No gap is left." });
  });

  test("are none where all that is missing was searched for already", async () => {
    const asked = {
      queries: ["retries:  Circuit breakers stop calling a broken service"],
      ...found("a.dev"),
    };
    const { output } = await propose(stored([backoff], [asked]), { round: 2 });
    expect(output).toMatchObject({ queries: [], gaps: [expect.any(String)] });
    expect(output.reason).toContain("searched for already");
  });

  test("are the same on every machine", async () => {
    const [one, other] = await Promise.all([propose(stored([])), propose(stored([]))]);
    expect(one).toEqual(other);
  });
});

describe("the next queries of a model", () => {
  let opened: TestModels;
  beforeEach(async () => {
    opened = await openTestModels();
  });
  afterEach(() => opened.close());

  const answer = (plan: object) => ({ body: geminiBody(JSON.stringify(plan)) });
  const plan = {
    gaps: ["breakers"],
    queries: [{ question: "circuit breaker half-open", reason: "missing" }],
  };

  test("are made from the guideline, the evidence and what was asked before", async () => {
    opened.gemini.next(answer(plan));
    const page = testSource("https://x.dev/backoff", backoff.text);
    const { output } = await propose(stored([page], [{ queries: ["first query"], ...found("a.dev") }]), {
      models: opened.models,
    });
    expect(output).toEqual({
      ...plan,
      reason: null,
      written_by: "gemini-flash",
      artifact: artifact.nextQueries,
    });
    const sent = opened.gemini.requests[0]?.text ?? "";
    for (const part of ["circuit breakers stop", "doubles the pause", "first query"])
      expect(sent).toContain(part);
  });

  test.each([
    ["a file of the author's", "notes.md", "document"],
    ["a repository", "https://github.com/own/secret", "repository"],
    ["a page of a network of one's own", "http://10.0.0.7/wiki", "web_page"],
  ] as const)(
    "are made without the words and the name of %s, which strangers would be asked",
    async (_what, ref, kind) => {
      opened.gemini.next(answer(plan));
      const own = testSource(ref, backoff.text, { kind, title: "Project Heron" });
      await propose(stored([own]), { models: opened.models });
      const sent = opened.gemini.requests[0]?.text ?? "";
      expect(sent).not.toMatch(/Heron|doubles the pause between its|notes\.md|secret|10\.0\.0\.7/);
      expect(sent).toMatch(/of the author's own bears on \d+ %/);
    },
  );

  test("never repeat one that was asked before", async () => {
    const repeated = { question: "First  Query", reason: "again" };
    opened.gemini.next(answer({ gaps: ["x"], queries: [repeated, ...plan.queries, ...plan.queries] }));
    const asked = { queries: ["first query"], ...found("a.dev") };
    const { output } = await propose(stored([], [asked]), { models: opened.models });
    expect(output.queries).toEqual(plan.queries);
  });

  test("are asked for with what fits into a model's context, whatever was gathered and asked (172,000 tokens for 131,000)", async () => {
    const sources = Array.from({ length: 200 }, (_, at) =>
      testSource(
        `https://${at}.dev/`,
        `# Page\n\nJitter ${at} spreads ${"many ".repeat(300)} clients over time.\n`,
        {
          title: `Page ${at} ${"and so on ".repeat(300)}`,
        },
      ),
    );
    const asked = Array.from({ length: 50 }, (_, round) => ({
      queries: Array.from({ length: 10 }, (_, n) => `Query ${round * 10 + n} ${"and so on ".repeat(200)}`),
      ...found(`${round}.dev`),
    }));
    const files = stored(sources, asked);
    files[artifact.guideline] =
      `${guideline}${Array.from({ length: 200 }, (_, n) => `- point ${n} ${"and so on ".repeat(100)}\n`).join("")}`;
    opened.gemini.next(answer(plan));
    await propose(files, { models: opened.models });
    const shown = opened.gemini.requests[0]?.text ?? "";
    expect(shown.length).toBeLessThan(180_000);
    expect(shown).toContain("and 100 more");
    expect(shown).toContain("Query 499");
  });

  test("name each gap once, however often the model says it", async () => {
    opened.gemini.next(answer({ ...plan, gaps: Array(20).fill("No source on jitter") }));
    const { output } = await propose(stored([]), { models: opened.models });
    expect(output.gaps).toEqual(["No source on jitter"]);
  });

  test("are none where the last search brought nothing new, and no model is asked for that", async () => {
    const rounds = [found("a.dev", "b.dev"), found("b.dev")];
    const { output } = await propose(stored([], rounds), { round: 3, models: opened.models });
    expect(output).toMatchObject({ queries: [], reason: "The last search brought nothing new." });
    expect(opened.gemini.requests).toHaveLength(0);
  });

  test.each([
    ["are too many", { gaps: ["x"], queries: Array(6).fill(plan.queries[0]) }, "at most 5"],
    ["are none for a gap that is named", { gaps: ["x"], queries: [] }, "no query"],
    ["have another form", { queries: ["q"] }, "schema"],
  ])("that %s are asked for once more with the reason", async (_name, bad, hint) => {
    opened.gemini.next(answer(bad), answer(plan));
    const { output } = await propose(stored([]), { models: opened.models });
    expect(output.queries).toEqual(plan.queries);
    expect(opened.gemini.requests[1]?.text).toContain(hint);
  });

  test.each([
    ["answers something else", "Search for cats!"],
    ["names gaps and searches for none of them", JSON.stringify({ gaps: ["all"], queries: [] })],
    [
      "asks for what is far too long",
      JSON.stringify({ gaps: ["all"], queries: [{ question: "q".repeat(2_000), reason: "r" }] }),
    ],
  ])("come from the rules, which is told, where the model %s", async (_name, text) => {
    opened.gemini.next(...Array(4).fill({ body: geminiBody(text) }));
    const byRules = await propose(stored([]));
    const { output } = await propose(stored([]), { models: opened.models });
    expect(output.queries).toEqual(byRules.output.queries);
    expect(output).toMatchObject({ written_by: extractive, without_model: expect.any(String) });
    expect(byRules.output).not.toHaveProperty("without_model");
  });

  test("wait for a limit that ends later, and spend no attempt", async () => {
    const models = ["gemini-flash", "gemini-flash-lite"];
    opened.gemini.next(...models.map(() => geminiLimit("PerDay", 600)));
    await expect(propose(stored([]), { models: opened.models })).rejects.toMatchObject({
      code: "quota",
      disposition: { kind: "wait", delayMs: 600_000 },
    });
  });
});
