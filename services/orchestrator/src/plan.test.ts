import { refineAndSaveArticle } from "@proofroom/contracts";
import { authorOf, stepIdOf } from "@proofroom/runtime/records";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planRun } from "./plan.ts";
import {
  type Answers,
  codeOf,
  emptyState,
  finish,
  haveRead,
  outcomeOf,
  outlineOf,
  plannedSteps,
  playOn,
  sha,
  usual,
} from "./testing/played-run.ts";
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

const sound: Scenario = {
  sections: 2,
  verdicts: ["APPROVED", "APPROVED"],
  changes: [],
  snippets: 1,
  failing: 0,
  local: 1,
};

function answersOf({ sections, verdicts, changes, snippets, failing, local }: Scenario): Answers {
  const round = ({ input }: PlannedStep) => Number(input["round"]);
  return {
    ...usual,
    extract_guidelines_urls: () => ({ ...usual.extract_guidelines_urls(), local_file_paths: local }),
    generate_article_outline: () => outlineOf(sections),
    refine_and_save_article: (step) => ({
      ...usual.refine_and_save_article(step),
      changed: changes[round(step)] ?? true,
    }),
    extract_and_validate_code: () => codeOf(snippets),
    execute_sandbox_tests: () => ({ ...usual.execute_sandbox_tests(), failed: failing }),
    critic_evaluate_article: (step) => ({
      ...usual.critic_evaluate_article(),
      status: verdicts[round(step)] ?? "REVISE",
    }),
  };
}

/** Plays a run to its end. */
function play(scenario: Scenario, pick?: (count: number) => number) {
  const state = emptyState();
  const { executed, plan } = playOn(state, answersOf(scenario), pick);
  if (plan.kind === "steps") throw new Error("the run has not ended");
  return { state, executed: executed.map(({ stepId }) => stepId), outcome: plan.outcome };
}

const scenarios = fc.record({
  sections: fc.integer({ min: 1, max: 6 }),
  verdicts: fc.array(fc.constantFrom("APPROVED" as const, "REVISE" as const), { minLength: 4, maxLength: 4 }),
  changes: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  snippets: fc.integer({ min: 0, max: 2 }),
  failing: fc.integer({ min: 0, max: 1 }),
  local: fc.integer({ min: 0, max: 2 }),
});

describe("planRun", () => {
  it("ends every run, executes no step twice, whatever the order in which steps finish", () => {
    fc.assert(
      fc.property(scenarios, fc.infiniteStream(fc.nat()), (scenario, picks) => {
        const { executed, outcome } = play(scenario, (count) => (picks.next().value as number) % count);
        expect(new Set(executed).size).toBe(executed.length);
        expect(outcome.status).toBe("succeeded");
        const inOrder = play(scenario);
        expect([...executed].sort()).toEqual([...inOrder.executed].sort());
      }),
    );
  });

  it("refines once at least and three times at most, and evaluates after every change", () => {
    const count = (executed: string[], name: string) =>
      executed.filter((step) => step.startsWith(name)).length;
    const approved = play(sound).executed;
    expect(count(approved, "refine_and_save_article")).toBe(2);
    expect(count(approved, "critic_evaluate_article")).toBe(2);
    const never = play({ ...sound, verdicts: ["REVISE", "REVISE", "REVISE", "REVISE"] }).executed;
    expect(count(never, "refine_and_save_article")).toBe(4);
    expect(count(never, "critic_evaluate_article")).toBe(4);
    const useless = play({ ...sound, verdicts: ["REVISE"], changes: [true, false] }).executed;
    expect(count(useless, "refine_and_save_article")).toBe(2);
    expect(count(useless, "critic_evaluate_article")).toBe(1);
  });

  it("asks for a new generation of what read a text that a person has changed since, and of nothing before it", () => {
    const { state, executed } = play(sound);
    const last = executed.at(-1) ?? "";
    expect(last).toMatch(/^export_publication_bundle/);
    haveRead(state, last, { name: "article.md", version: 3, sha256: sha });
    expect(planRun(state, new Map([["article.md@3", ["person"]]]))).toMatchObject({
      kind: "steps",
      steps: [{ stepId: last, generation: 2, renews: true }],
    });
    const byLaterStep = new Map([["article.md@3", [authorOf(last, 1)]]]);
    expect(planRun(state, byLaterStep).kind).toBe("outcome");
  });

  it("takes what a tool outside the plan wrote as it takes a person's edit, and a later round's text as its own", () => {
    const { state } = play(sound);
    haveRead(state, "verify_citations", { name: "article.md", version: 1, sha256: sha });
    const after = (author: string) => planRun(state, new Map([["article.md@1", [author]]]));
    const withFeedback = stepIdOf(refineAndSaveArticle, { round: 1, critic_feedback: ["shorter"] });
    expect(after(authorOf(withFeedback, 1))).toMatchObject({
      kind: "steps",
      steps: [{ stepId: "verify_citations", generation: 2, renews: true }],
    });
    expect(after(authorOf(stepIdOf(refineAndSaveArticle, { round: 1 }), 1)).kind).toBe("outcome");
  });

  it("lets a run whose money is spent wait for more of it", () => {
    const error = { code: "budget" as const, message: "spent" };
    const step = "extract_guidelines_urls";
    expect(outcomeOf(emptyState(), { [step]: () => error })).toEqual({
      status: "waiting_budget",
      step,
      error,
    });
  });

  it("fetches nothing for a replay: what it was not given ends it", () => {
    const state = emptyState();
    state.manifest.replay_of = "run_01ARZ3NDEKTSV4RRFFQ69G5FAW";
    const { executed, plan } = playOn(state, answersOf(sound));
    expect(executed.map(({ stepId }) => stepId)).toEqual(["extract_guidelines_urls"]);
    expect(plan).toMatchObject({ outcome: { status: "failed", step: "scrape_and_clean_other_urls" } });
  });

  it("waits for the siblings of a failed step, then fails with its reason", () => {
    const state = emptyState();
    const error = { code: "internal" as const, message: "broken" };
    const { scrape_and_clean_other_urls, extract_guidelines_urls } = usual;
    playOn(state, {
      extract_guidelines_urls: () => ({ ...extract_guidelines_urls(), local_file_paths: 1 }),
    });
    const [local, page] = plannedSteps(state);
    expect([local?.stepId, page?.stepId]).toEqual(["process_local_files", "scrape_and_clean_other_urls"]);
    if (local !== undefined) finish(state, local, error);
    expect(plannedSteps(state)).toEqual([page]);
    expect(outcomeOf(state, { scrape_and_clean_other_urls })).toEqual({
      status: "failed",
      step: "process_local_files",
      error,
    });
  });
});

it("the outcome names each sentence of a person that a round took out", () => {
  const answers = answersOf({ ...sound, verdicts: ["REVISE", "APPROVED"], changes: [true, true] });
  const removed = ["Herons mend it.", "So do owls."];
  const outcome = outcomeOf(emptyState(), {
    ...answers,
    refine_and_save_article: (step) => ({
      ...usual.refine_and_save_article(step),
      ...(step.input["round"] === 1 ? { removed } : {}),
    }),
  });
  expect(outcome).toMatchObject({
    status: "succeeded",
    reasons: [
      expect.stringMatching(
        /^Taken out of a person's text, .*: “Herons mend it\.” .* history of article\.md\.$/,
      ),
      expect.stringContaining("“So do owls.”"),
    ],
  });
});

describe("a run in which no answer of a model could be used", () => {
  it("goes on without, and its outcome names each part and the reason", () => {
    const reason = "It was useless.";
    const outcome = outcomeOf(emptyState(), {
      ...answersOf({ ...sound, verdicts: ["APPROVED"], changes: [true, false], snippets: 0, local: 0 }),
      generate_article_outline: () => ({ ...outlineOf(2), reason }),
      critic_evaluate_article: () => ({ ...usual.critic_evaluate_article(), reason }),
      draft_article_section: ({ input }) => ({
        ...usual.draft_article_section(),
        ...(input["section_id"] === "section_2" ? { reason } : {}),
      }),
    });
    expect(outcome).toMatchObject({
      status: "succeeded",
      reasons: [
        expect.stringMatching(/planned without a model\. It was useless\./),
        expect.stringMatching(/No draft .* of “s” .* word for word\. It was useless\./),
        expect.stringMatching(/evaluated without a model\. It was useless\./),
      ],
    });
  });
});
