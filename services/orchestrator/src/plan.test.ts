import { refineAndSaveArticle, runOptionsSchema, type StepRecord } from "@proofroom/contracts";
import {
  authorOf,
  type LedgerState,
  type StepState,
  type Successors,
  stepIdOf,
} from "@proofroom/runtime/records";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planRun } from "./plan.ts";
import type { PlannedStep } from "./walk.ts";

interface Scenario {
  sections: number;
  /** Verdict of each evaluation, and whether each round of refinement changes something. */
  verdicts: ("APPROVED" | "REVISE")[];
  changes: boolean[];
  snippets: number;
  failing: number;
  local: number;
}

const sha = "0".repeat(64);

function outputOf(step: PlannedStep, scenario: Scenario): Record<string, unknown> {
  const round = Number(step.input["round"] ?? 0);
  const gathered = { status: "success", requested: 1, gathered: 1, failed: 0, artifact: "a", failures: [] };
  const outputs: Record<string, Record<string, unknown>> = {
    extract_guidelines_urls: {
      github_urls: 0,
      git_urls: 0,
      youtube_videos_urls: 0,
      other_urls: 1,
      local_file_paths: scenario.local,
      rejected: [],
      artifact: "a",
    },
    process_local_files: gathered,
    scrape_and_clean_other_urls: gathered,
    create_research_file: { sources: 1, failures: 0, words: 1, artifact: "a" },
    generate_article_outline: {
      title: "t",
      sections: Array.from({ length: scenario.sections }, (_, n) => ({
        section_id: `section_${n + 1}`,
        title: "s",
        target_word_count: 1,
      })),
      written_by: "extractive",
      artifact: "a",
    },
    draft_article_section: {
      section_id: "s",
      words: 1,
      citations: 1,
      sources: [],
      code_blocks: 0,
      written_by: "extractive",
      artifact: "a",
    },
    refine_and_save_article: {
      round,
      words: 1,
      sections: 1,
      references: 1,
      revisions_applied: 0,
      revisions_open: 0,
      changed: scenario.changes[round] ?? true,
      article_sha256: sha,
      written_by: "extractive",
      artifact: "a",
    },
    extract_and_validate_code: {
      total_snippets: scenario.snippets,
      valid_syntax_count: scenario.snippets,
      invalid_syntax_count: 0,
      unchecked_count: 0,
      article_sha256: sha,
      artifact: "a",
    },
    execute_sandbox_tests: {
      status: "success",
      total: 1,
      passed: 1,
      failed: scenario.failing,
      skipped: 0,
      not_run: 0,
      sandbox: "s",
      artifact: "a",
    },
    fix_code_snippets: {
      repaired: [],
      still_failing: [],
      fixed_code: null,
      article_sha256: null,
      artifact: "a",
    },
    verify_citations: {
      sentences: 1,
      cited: 1,
      supported: 1,
      uncertain: 0,
      unsupported: 0,
      unresolved: 0,
      uncited: 0,
      article_sha256: sha,
      artifact: "a",
    },
    critic_evaluate_article: {
      status: scenario.verdicts[round] ?? "REVISE",
      overall_score: 1,
      category_scores: { technical_depth: 1, code_quality: 1, structure_clarity: 1, citation_fidelity: 1 },
      blocking: [],
      required_revisions: 0,
      article_sha256: sha,
      artifact: "a",
    },
    export_publication_bundle: { status: "approved", reasons: [], bytes: 1, artifact: "a" },
  };
  return outputs[step.capability.name] as Record<string, unknown>;
}

function emptyState(): LedgerState & { steps: Map<string, StepState> } {
  const manifest = {
    v: 1 as const,
    run_id: "run_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    tenant: "default",
    title: "t",
    created_at: new Date(0).toISOString(),
    plan: "write" as const,
    options: runOptionsSchema.parse({}),
  };
  return {
    manifest,
    epoch: { n: 1, reason: "start", at: manifest.created_at },
    outcome: null,
    steps: new Map(),
  };
}

function recordFor(
  step: PlannedStep,
  output: Record<string, unknown>,
  reads: StepRecord["reads"] = [],
): StepRecord {
  return {
    v: 1,
    step_id: step.stepId,
    generation: step.generation,
    capability: step.capability.name,
    step_key: sha,
    input_sha256: sha,
    reads,
    writes: [],
    output,
    started_at: new Date(0).toISOString(),
    finished_at: new Date(0).toISOString(),
  };
}

const nobody: Successors = new Map();

/** Plays a run to its end, finishing the planned steps in the order that `pick` says. */
function play(scenario: Scenario, pick: (count: number) => number) {
  const state = emptyState();
  const executed: string[] = [];
  for (let turn = 0; turn < 500; turn += 1) {
    const plan = planRun(state, nobody);
    if (plan.kind === "outcome") return { state, executed, outcome: plan.outcome };
    const step = plan.steps[pick(plan.steps.length)];
    if (step === undefined) throw new Error("the planner neither ends nor plans anything");
    executed.push(step.stepId);
    const record = recordFor(step, outputOf(step, scenario));
    state.steps.set(step.stepId, { stepId: step.stepId, generation: step.generation, record, failure: null });
  }
  throw new Error("the run does not end");
}

const scenarios = fc.record({
  sections: fc.integer({ min: 1, max: 6 }),
  verdicts: fc.array(fc.constantFrom("APPROVED" as const, "REVISE" as const), { minLength: 4, maxLength: 4 }),
  changes: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  snippets: fc.integer({ min: 0, max: 2 }),
  failing: fc.integer({ min: 0, max: 1 }),
  local: fc.integer({ min: 0, max: 2 }),
});

const sound: Scenario = {
  sections: 2,
  verdicts: ["APPROVED", "APPROVED"],
  changes: [],
  snippets: 1,
  failing: 0,
  local: 1,
};

describe("planRun", () => {
  it("ends every run, executes no step twice, whatever the order in which steps finish", () => {
    fc.assert(
      fc.property(scenarios, fc.infiniteStream(fc.nat()), (scenario, picks) => {
        const { executed, outcome } = play(scenario, (count) => (picks.next().value as number) % count);
        expect(new Set(executed).size).toBe(executed.length);
        expect(outcome.status).toBe("succeeded");
        const inOrder = play(scenario, () => 0);
        expect([...executed].sort()).toEqual([...inOrder.executed].sort());
      }),
    );
  });

  it("refines once at least and three times at most, and evaluates after every change", () => {
    const count = (executed: string[], name: string) =>
      executed.filter((step) => step.startsWith(name)).length;
    const approved = play(sound, () => 0).executed;
    expect(count(approved, "refine_and_save_article")).toBe(2);
    expect(count(approved, "critic_evaluate_article")).toBe(2);
    const never = play({ ...sound, verdicts: ["REVISE", "REVISE", "REVISE", "REVISE"] }, () => 0).executed;
    expect(count(never, "refine_and_save_article")).toBe(4);
    expect(count(never, "critic_evaluate_article")).toBe(4);
    const useless = play({ ...sound, verdicts: ["REVISE"], changes: [true, false] }, () => 0).executed;
    expect(count(useless, "refine_and_save_article")).toBe(2);
    expect(count(useless, "critic_evaluate_article")).toBe(1);
  });

  it("asks for a new generation of what read a text that a person has changed since, and of nothing before it", () => {
    const { state } = play(sound, () => 0);
    const last = [...state.steps.values()].find(({ stepId }) =>
      stepId.startsWith("export_publication_bundle"),
    );
    if (last?.record == null) throw new Error("the run was not published");
    const record = { ...last.record, reads: [{ name: "article.md", version: 3, sha256: sha }] };
    state.steps.set(last.stepId, { ...last, record });
    const plan = planRun(state, new Map([["article.md@3", ["person"]]]));
    expect(plan).toMatchObject({
      kind: "steps",
      steps: [{ stepId: last.stepId, generation: 2, renews: true }],
    });
    const byLaterStep = new Map([["article.md@3", [authorOf(last.stepId, 1)]]]);
    expect(planRun(state, byLaterStep).kind).toBe("outcome");
  });

  it("takes what a tool outside the plan wrote as it takes a person's edit, and a later round's text as its own", () => {
    const { state } = play(sound, () => 0);
    const verify = state.steps.get("verify_citations");
    if (verify?.record == null) throw new Error("nothing was verified");
    const record = { ...verify.record, reads: [{ name: "article.md", version: 1, sha256: sha }] };
    state.steps.set(verify.stepId, { ...verify, record });
    const after = (author: string) => planRun(state, new Map([["article.md@1", [author]]]));
    const withFeedback = stepIdOf(refineAndSaveArticle, { round: 1, critic_feedback: ["shorter"] });
    expect(after(authorOf(withFeedback, 1))).toMatchObject({
      kind: "steps",
      steps: [{ stepId: "verify_citations", generation: 2, renews: true }],
    });
    expect(after(authorOf(stepIdOf(refineAndSaveArticle, { round: 1 }), 1)).kind).toBe("outcome");
  });

  it("lets a run whose money is spent wait for more of it", () => {
    const state = emptyState();
    const first = planRun(state, nobody);
    if (first.kind !== "steps") throw new Error("ended early");
    const stepId = first.steps[0]?.stepId ?? "";
    const failure = { code: "budget" as const, message: "spent" };
    state.steps.set(stepId, { stepId, generation: 1, record: null, failure });
    expect(planRun(state, nobody)).toEqual({
      kind: "outcome",
      outcome: { status: "waiting_budget", step: stepId, error: failure },
    });
  });

  it("fetches nothing for a replay: what it was not given ends it", () => {
    const state = emptyState();
    state.manifest.replay_of = "run_01ARZ3NDEKTSV4RRFFQ69G5FAW";
    for (let turn = 0; turn < 3; turn += 1) {
      const plan = planRun(state, nobody);
      if (plan.kind === "outcome") {
        expect(turn).toBe(1);
        expect(plan.outcome).toMatchObject({ status: "failed", step: "scrape_and_clean_other_urls" });
        return;
      }
      for (const step of plan.steps) {
        const record = recordFor(step, outputOf(step, sound));
        state.steps.set(step.stepId, { stepId: step.stepId, generation: 1, record, failure: null });
      }
    }
    throw new Error("it went on");
  });

  it("waits for the siblings of a failed step, then fails with its reason", () => {
    const state = emptyState();
    const step = (plan: ReturnType<typeof planRun>) => {
      if (plan.kind !== "steps") throw new Error("ended early");
      return plan.steps;
    };
    const [extract] = step(planRun(state, nobody));
    if (extract === undefined) throw new Error("nothing planned");
    state.steps.set(extract.stepId, {
      stepId: extract.stepId,
      generation: 1,
      record: recordFor(extract, outputOf(extract, sound)),
      failure: null,
    });
    const gather = step(planRun(state, nobody));
    expect(gather.map(({ stepId }) => stepId)).toEqual([
      "process_local_files",
      "scrape_and_clean_other_urls",
    ]);
    const error = { code: "internal" as const, message: "broken" };
    state.steps.set("process_local_files", {
      stepId: "process_local_files",
      generation: 1,
      record: null,
      failure: error,
    });
    const rest = step(planRun(state, nobody));
    expect(rest.map(({ stepId }) => stepId)).toEqual(["scrape_and_clean_other_urls"]);
    const [sibling] = rest;
    if (sibling === undefined) throw new Error("nothing planned");
    state.steps.set(sibling.stepId, {
      stepId: sibling.stepId,
      generation: 1,
      record: recordFor(sibling, outputOf(sibling, sound)),
      failure: null,
    });
    expect(planRun(state, nobody)).toEqual({
      kind: "outcome",
      outcome: { status: "failed", step: "process_local_files", error },
    });
  });
});

it("the outcome names each sentence of a person that a round took out", () => {
  const scenario: Scenario = { ...sound, verdicts: ["REVISE", "APPROVED"], changes: [true, true] };
  const state = emptyState();
  for (;;) {
    const plan = planRun(state, nobody);
    if (plan.kind === "outcome") {
      expect(plan.outcome).toMatchObject({
        status: "succeeded",
        reasons: [
          expect.stringMatching(
            /^Taken out of a person's text, .*: “Herons mend it\.” .* history of article\.md\.$/,
          ),
          expect.stringContaining("“So do owls.”"),
        ],
      });
      return;
    }
    for (const step of plan.steps) {
      const refines = step.stepId === stepIdOf(refineAndSaveArticle, { round: 1 });
      const removed = refines ? { removed: ["Herons mend it.", "So do owls."] } : {};
      const record = recordFor(step, { ...outputOf(step, scenario), ...removed });
      state.steps.set(step.stepId, {
        stepId: step.stepId,
        generation: step.generation,
        record,
        failure: null,
      });
    }
  }
});

describe("a run in which no answer of a model could be used", () => {
  it("goes on without, and its outcome names each part and the reason", () => {
    const scenario: Scenario = {
      sections: 2,
      verdicts: ["APPROVED"],
      changes: [true, false],
      snippets: 0,
      failing: 0,
      local: 0,
    };
    const state = emptyState();
    for (;;) {
      const plan = planRun(state, nobody);
      if (plan.kind === "outcome") {
        expect(plan.outcome).toMatchObject({ status: "succeeded" });
        const reasons = plan.outcome.status === "succeeded" ? plan.outcome.reasons : [];
        expect(reasons).toEqual([
          expect.stringMatching(/planned without a model\. It was useless\./),
          expect.stringMatching(/No draft .* of “s” .* word for word\. It was useless\./),
          expect.stringMatching(/evaluated without a model\. It was useless\./),
        ]);
        return;
      }
      for (const step of plan.steps) {
        const { name } = step.capability;
        const useless =
          name === "generate_article_outline" ||
          name === "critic_evaluate_article" ||
          (name === "draft_article_section" && step.input["section_id"] === "section_2");
        const output = { ...outputOf(step, scenario), ...(useless ? { reason: "It was useless." } : {}) };
        const record = recordFor(step, output);
        state.steps.set(step.stepId, {
          stepId: step.stepId,
          generation: step.generation,
          record,
          failure: null,
        });
      }
    }
  });
});
