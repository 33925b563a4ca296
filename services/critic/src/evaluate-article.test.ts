import { critiqueSchema, type RequiredRevision, type SnippetResult } from "@proofroom/contracts";
import { withoutModels } from "@proofroom/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCriticHandlers } from "./index.ts";
import { contextOf, sha256 } from "./testing/memory-context.ts";
import {
  articleWith,
  type Defect,
  outline,
  resultOf,
  snippetsOf,
  sources,
} from "./testing/planted-article.ts";

interface Setting {
  defects?: readonly Defect[];
  run?: Pick<SnippetResult, "run" | "reason">;
  options?: { approve_at?: number; require_code_run?: boolean };
  change?: (stored: Map<string, string>) => void;
}

const handlers = createCriticHandlers({ models: withoutModels });

/** Verifies and evaluates an article over its artifacts. */
async function evaluate(stored: Map<string, string>, change?: Setting["change"]) {
  const verified = await handlers.verify_citations({ round: 0 }, contextOf(stored, "verify_citations"));
  change?.(stored);
  const output = await handlers.critic_evaluate_article(
    { round: 0 },
    contextOf(stored, "critic_evaluate_article"),
  );
  const critique = critiqueSchema.parse(JSON.parse(stored.get(".nova/critic_evaluation.json") ?? ""));
  return { critique, output, verified };
}

function artifactsOf(article: string): Map<string, string> {
  const index = {
    v: 1,
    failures: [],
    sources: [...sources].map(([id, { ref, kind, title, sha256 }]) => ({
      id,
      ref,
      kind,
      title,
      sha256,
      words: 40,
      artifact: `${id}.json`,
    })),
  };
  return new Map([
    ["article.md", article],
    [".nova/article_outline.json", JSON.stringify(outline)],
    [".nova/sources.json", JSON.stringify(index)],
    ...[...sources].map(([id, source]): [string, string] => [`${id}.json`, JSON.stringify(source)]),
  ]);
}

async function review({ defects = [], run, options, change }: Setting = {}) {
  const planted = new Set(defects);
  const article = articleWith(planted);
  const snippets = snippetsOf(article, planted.has("invalid_code"));
  const outcome = run ?? { run: planted.has("failing_code") ? "failed" : "passed", reason: null };
  const stored = artifactsOf(article);
  const manifest = {
    v: 1,
    article_sha256: sha256(article),
    total_snippets: snippets.length,
    valid_syntax_count: snippets.length,
    invalid_syntax_count: 0,
    unchecked_count: 0,
    snippets,
  };
  stored.set(".nova/sandbox_manifest.json", JSON.stringify(manifest));
  const results = snippets.map((snippet) => resultOf(snippet, outcome));
  stored.set(".nova/sandbox_execution_results.json", JSON.stringify(results));
  if (options !== undefined) {
    const run = { v: 1, run_id: "run_01J00000000000000000000000", title: "T", plan: "write", options };
    stored.set(".nova/run.json", JSON.stringify({ ...run, created_at: "2026-01-01T00:00:00Z" }));
  }
  return evaluate(stored, change);
}

function brief(revisions: readonly RequiredRevision[]) {
  return revisions.map(({ section, kind, blocking }) => ({ section, kind, blocking }));
}

describe("a sound article", () => {
  test("is approved with all points and nothing to mend", async () => {
    const { critique, output, verified } = await review();
    expect(critique.required_revisions).toEqual([]);
    expect(critique.category_scores).toEqual({
      technical_depth: 30,
      code_quality: 30,
      structure_clarity: 20,
      citation_fidelity: 20,
    });
    expect(critique).toMatchObject({ status: "APPROVED", overall_score: 100, judged_by: "measurements" });
    expect(critique.measurements).toMatchObject({
      distinct_sources: 3,
      sources_available: 3,
      repeated_sentences: 0,
    });
    expect(output).toMatchObject({
      status: "APPROVED",
      overall_score: 100,
      blocking: [],
      required_revisions: 0,
    });
    expect(verified).toMatchObject({
      cited: 10,
      supported: 10,
      uncited: 0,
      artifact: ".nova/citations.json",
    });
  });

  test("is not approved where the run asks for more than it has", async () => {
    const { critique } = await review({ defects: ["uncited"], options: { approve_at: 100 } });
    expect(critique.status).toBe("REVISE");
  });
});

describe("blocking defects are not approved, whatever the score", () => {
  test.each<[Defect, RequiredRevision["kind"], string]>([
    ["failing_code", "failing_code", "logs"],
    ["invalid_code", "failing_code", "logs"],
    ["unsupported", "unsupported_citation", "caches"],
    ["unknown_number", "unresolved_citation", "caches"],
    ["missing_section", "missing_section", "queues"],
    ["truncated", "structure", "logs"],
  ])("%s", async (defect, kind, section) => {
    const { critique, output } = await review({ defects: [defect], options: { approve_at: 0 } });
    expect(critique.status).toBe("REVISE");
    expect(brief(critique.required_revisions)).toContainEqual({ section, kind, blocking: true });
    expect(output.blocking).toContain(`${kind}: ${section}`);
    expect(critique.overall_score).toBeLessThan(100);
  });
});

describe("other defects cost points and are named with their section", () => {
  test.each<[Defect, RequiredRevision["kind"], string]>([
    ["over_budget", "over_budget", "logs"],
    ["under_budget", "under_budget", "caches"],
    ["repeated", "repeated_text", "logs"],
    ["uncited", "uncited_claim", "caches"],
    ["contents", "structure", "article"],
    ["no_contents", "structure", "article"],
    ["unused_reference", "structure", "article"],
    ["key_point", "missing_key_point", "caches"],
  ])("%s", async (defect, kind, section) => {
    const { critique } = await review({ defects: [defect], options: { approve_at: 100 } });
    expect(critique.status).toBe("REVISE");
    expect(brief(critique.required_revisions)).toContainEqual({ section, kind, blocking: false });
    expect(critique.overall_score).toBeLessThan(100);
  });

  test("revisions name their sentence or block", async () => {
    const { critique } = await review({ defects: ["unsupported", "uncited", "failing_code"] });
    expect(critique.required_revisions.map(({ target }) => target)).toEqual([
      "snippet_1",
      "The cache holds 999 entries on every node.",
      "Painters rarely agree on the price of lamps.",
    ]);
    expect(critique.required_revisions[1]?.instruction).toContain("999");
  });
});

test("a defect that is added never raises the score", async () => {
  const all: Defect[] = [
    "failing_code",
    "invalid_code",
    "unsupported",
    "unknown_number",
    "missing_section",
    "over_budget",
    "repeated",
    "truncated",
    "uncited",
    "contents",
    "no_contents",
    "unused_reference",
    "key_point",
  ];
  const scores = new Map<string, Promise<number>>();
  const scoreOf = (defects: readonly Defect[]) => {
    const key = defects.toSorted().join(" ");
    const score = scores.get(key) ?? review({ defects }).then(({ critique }) => critique.overall_score);
    scores.set(key, score);
    return score;
  };
  await fc.assert(
    fc.asyncProperty(fc.subarray(all, { maxLength: 3 }), fc.constantFrom(...all), async (some, added) => {
      const before = await scoreOf(some.filter((defect) => defect !== added));
      const after = await scoreOf([...new Set([...some, added])]);
      expect(after).toBeLessThanOrEqual(before);
    }),
    { numRuns: 12 },
  );
});

describe("code that was not run", () => {
  const unavailable = { run: "not_run", reason: "sandbox_unavailable" } as const;

  test("costs points but does not block by itself", async () => {
    const { critique } = await review({ run: unavailable });
    expect(critique).toMatchObject({ status: "APPROVED", category_scores: { code_quality: 15 } });
    expect(critique.measurements.code).toMatchObject({ blocks: 1, not_run: 1 });
  });

  test("blocks where the run requires it", async () => {
    const { critique } = await review({ run: unavailable, options: { require_code_run: true } });
    expect(critique.status).toBe("REVISE");
    expect(brief(critique.required_revisions)).toEqual([
      { section: "logs", kind: "code_not_run", blocking: true },
    ]);
  });

  test("counts as not run where it was not even extracted", async () => {
    const { critique } = await review({
      change: (stored) => {
        stored.delete(".nova/sandbox_manifest.json");
        stored.delete(".nova/sandbox_execution_results.json");
      },
    });
    expect(critique.measurements.code).toMatchObject({ blocks: 1, not_run: 1, passed: 0 });
  });

  test("a block that only shows output costs nothing", async () => {
    const { critique } = await review({ run: { run: "skipped", reason: "expected_output" } });
    expect(critique.category_scores.code_quality).toBe(30);
  });

  test("a package that is not installed costs half a block", async () => {
    const { critique } = await review({ run: { run: "skipped", reason: "missing_dependency" } });
    expect(critique.category_scores.code_quality).toBe(15);
    expect(critique.required_revisions).toEqual([]);
  });
});

describe("reports on another version are refused, with the step to run", () => {
  const edit =
    (name: string, change: (value: Record<string, unknown>) => unknown) => (stored: Map<string, string>) => {
      stored.set(name, JSON.stringify(change(JSON.parse(stored.get(name) ?? ""))));
    };

  test.each([
    [
      "citations of another text",
      "verify_citations",
      edit(".nova/citations.json", (report) => ({ ...report, article_sha256: "0".repeat(64) })),
    ],
    [
      "no citations",
      "verify_citations",
      (stored: Map<string, string>) => void stored.delete(".nova/citations.json"),
    ],
    [
      "code of another text",
      "extract_and_validate_code",
      edit(".nova/sandbox_manifest.json", (manifest) => ({ ...manifest, article_sha256: "0".repeat(64) })),
    ],
    [
      "results of other code",
      "execute_sandbox_tests",
      edit(".nova/sandbox_execution_results.json", (results) =>
        (results as unknown as SnippetResult[]).map((result) => ({ ...result, sha256: "0".repeat(64) })),
      ),
    ],
  ])("%s", async (_, step, change) => {
    await expect(review({ change })).rejects.toMatchObject({
      code: "invalid_input",
      remedy: `Run ${step} again.`,
    });
  });
});

test("an article that cites nothing is not approved", async () => {
  const article = articleWith(new Set()).replace(/ \[\d\]/g, "");
  const { critique } = await evaluate(artifactsOf(article));
  expect(critique).toMatchObject({ status: "REVISE", category_scores: { citation_fidelity: 0 } });
  expect(brief(critique.required_revisions)).toContainEqual({
    section: "article",
    kind: "uncited_claim",
    blocking: true,
  });
});

test("a section that cites nothing is not approved, however well founded the others are", async () => {
  const article = articleWith(new Set()).replace(/ \[3\]/g, "");
  const { critique } = await evaluate(artifactsOf(article));
  expect(critique.status).toBe("REVISE");
  expect(brief(critique.required_revisions)).toContainEqual({
    section: "logs",
    kind: "uncited_claim",
    blocking: true,
  });
});
