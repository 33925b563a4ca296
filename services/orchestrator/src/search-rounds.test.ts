import { type PublicError, runOptionsSchema, type StepRecord } from "@proofroom/contracts";
import { authorOf, type LedgerState, type StepState, type Successors } from "@proofroom/runtime/records";
import { describe, expect, it } from "vitest";
import { planRun } from "./plan.ts";
import type { PlannedStep } from "./walk.ts";

const sha = "0".repeat(64);
const nobody: Successors = new Map();
const counts = { status: "success", requested: 1, failed: 0, artifact: "a", failures: [] };
const chosen = { selected_by: "m", degraded: false, reason: null, artifact: "a" };

type Answer = Record<string, unknown> | PublicError;

/** What the steps of a search answer; a test changes what it is about. */
const usual: Record<string, (step: PlannedStep) => Answer> = {
  extract_guidelines_urls: () => ({
    github_urls: 0,
    git_urls: 0,
    youtube_videos_urls: 0,
    other_urls: 0,
    local_file_paths: 0,
    rejected: [],
    artifact: "a",
  }),
  generate_next_queries: ({ input }) => ({
    queries: [{ question: `query ${input["round"]}`, reason: "r" }],
    gaps: ["g"],
    reason: null,
    written_by: "m",
    artifact: "a",
  }),
  run_web_research: () => ({ ...counts, gathered: 3, notes: [] }),
  select_research_sources_to_keep: () => ({ ...chosen, kept: 2, considered: 3 }),
  select_research_sources_to_scrape: () => ({ ...chosen, urls: ["https://a.dev/"] }),
  scrape_research_urls: () => ({ ...counts, gathered: 1 }),
};

function emptyState(search_rounds: number): LedgerState & { steps: Map<string, StepState> } {
  const at = new Date(0).toISOString();
  const manifest = {
    v: 1 as const,
    run_id: "run_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    tenant: "default",
    title: "t",
    created_at: at,
    plan: "write" as const,
    options: runOptionsSchema.parse({ search_rounds }),
  };
  return { manifest, epoch: { n: 1, reason: "start", at }, outcome: null, steps: new Map() };
}

function isError(answer: Answer): answer is PublicError {
  return "code" in answer;
}

function stateOf({ stepId, generation, capability }: PlannedStep, answer: Answer): StepState {
  if (isError(answer)) return { stepId, generation, record: null, failure: answer };
  const record: StepRecord = {
    v: 1,
    step_id: stepId,
    generation,
    capability: capability.name,
    step_key: sha,
    input_sha256: sha,
    reads: [],
    writes: [],
    output: answer,
    started_at: new Date(0).toISOString(),
    finished_at: new Date(0).toISOString(),
  };
  return { stepId, generation, record, failure: null };
}

/** Plays a run up to research.md: what was executed, in order, and with which input. */
function play(rounds: number, over: typeof usual = {}) {
  const state = emptyState(rounds);
  const executed: PlannedStep[] = [];
  for (let turn = 0; turn < 50; turn += 1) {
    const plan = planRun(state, nobody);
    if (plan.kind === "outcome") return { state, executed, names: namesOf(executed), plan };
    const [step] = plan.steps;
    if (step === undefined) throw new Error("neither ended nor planned");
    const answer = (over[step.capability.name] ?? usual[step.capability.name])?.(step);
    if (answer === undefined) return { state, executed, names: namesOf(executed), plan };
    executed.push(step);
    state.steps.set(step.stepId, stateOf(step, answer));
  }
  throw new Error("the rounds do not end");
}

function namesOf(steps: readonly PlannedStep[]): string[] {
  return steps.map(({ capability }) => capability.name).slice(1);
}

function next(played: ReturnType<typeof play>): string | undefined {
  return played.plan.kind === "steps" ? played.plan.steps[0]?.capability.name : undefined;
}

/** The reasons that a run tells at its end, which is made short here. */
function reasonsOf(played: ReturnType<typeof play>): readonly string[] {
  const rest: typeof usual = {
    create_research_file: () => ({ sources: 1, failures: 0, words: 1, artifact: "a" }),
    generate_article_outline: () => ({ title: "t", sections: [], written_by: "m", artifact: "a" }),
    refine_and_save_article: ({ input }) => ({
      round: input["round"],
      words: 1,
      sections: 1,
      references: 1,
      revisions_applied: 0,
      revisions_open: 0,
      changed: false,
      article_sha256: sha,
      written_by: "m",
      artifact: "a",
    }),
    extract_and_validate_code: () => ({
      total_snippets: 0,
      valid_syntax_count: 0,
      invalid_syntax_count: 0,
      unchecked_count: 0,
      article_sha256: sha,
      artifact: "a",
    }),
    verify_citations: () => ({
      sentences: 1,
      cited: 1,
      supported: 1,
      uncertain: 0,
      unsupported: 0,
      unresolved: 0,
      uncited: 0,
      article_sha256: sha,
      artifact: "a",
    }),
    critic_evaluate_article: () => ({
      status: "APPROVED",
      overall_score: 1,
      category_scores: { technical_depth: 1, code_quality: 1, structure_clarity: 1, citation_fidelity: 1 },
      blocking: [],
      required_revisions: 0,
      article_sha256: sha,
      artifact: "a",
    }),
    export_publication_bundle: () => ({ status: "approved", reasons: ["its own"], bytes: 1, artifact: "a" }),
  };
  const { state } = played;
  for (let turn = 0; turn < 50; turn += 1) {
    const plan = planRun(state, nobody);
    if (plan.kind === "outcome") return plan.outcome.status === "succeeded" ? plan.outcome.reasons : [];
    const [step] = plan.steps;
    const answer = step === undefined ? undefined : rest[step.capability.name]?.(step);
    if (step === undefined || answer === undefined) throw new Error("nothing answers");
    state.steps.set(step.stepId, stateOf(step, answer));
  }
  throw new Error("the run does not end");
}

const round = ["generate_next_queries", "run_web_research"];
const selection = [
  "select_research_sources_to_keep",
  "select_research_sources_to_scrape",
  "scrape_research_urls",
];

describe("searching for what the sources lack", () => {
  it("is no part of a run that asks for no round", () => {
    const played = play(0);
    expect(played.names).toEqual([]);
    expect(next(played)).toBe("create_research_file");
  });

  it("goes on for as many rounds as were asked for, each its own step, then keeps and reads", () => {
    const played = play(3);
    expect(played.names).toEqual([...round, ...round, ...round, ...selection]);
    expect(new Set(played.executed.map(({ stepId }) => stepId)).size).toBe(played.executed.length);
    expect(played.executed.filter(({ input }) => "queries" in input).map(({ input }) => input)).toEqual([
      { queries: ["query 1"] },
      { queries: ["query 2"] },
      { queries: ["query 3"] },
    ]);
    expect(next(played)).toBe("create_research_file");
    expect(reasonsOf(played)).toEqual(["its own"]);
  });

  it("ends early where no gap is left", () => {
    const none = { queries: [], gaps: [], reason: "No gap is left.", written_by: "m", artifact: "a" };
    const over = {
      generate_next_queries: (step: PlannedStep) =>
        step.input["round"] === 2 ? none : (usual["generate_next_queries"]?.(step) ?? none),
    };
    expect(play(3, over).names).toEqual([...round, "generate_next_queries", ...selection]);
  });

  it("ends where a round finds nothing, keeps nothing then, and says so", () => {
    const failure = {
      ref: "q",
      kind: "search_result",
      code: "no_evidence",
      message: "Tavily found nothing.",
    };
    const over = {
      run_web_research: () => ({ ...counts, status: "error", gathered: 0, failures: [failure], notes: [] }),
    };
    const played = play(3, over);
    expect(played.names).toEqual(round);
    expect(reasonsOf(played)).toEqual(["its own", "Search round 1 found nothing: Tavily found nothing."]);
  });

  it.each([
    ["generate_next_queries", ["generate_next_queries"]],
    ["run_web_research", round],
    ["select_research_sources_to_keep", [...round, selection[0]]],
    ["select_research_sources_to_scrape", [...round, selection[0], selection[1]]],
    ["scrape_research_urls", [...round, ...selection]],
  ])("fails no run where %s fails: what was gathered stands, and the reason is told", (name, names) => {
    const error = { code: "unreachable" as const, message: "It is broken." };
    const played = play(1, { [name]: () => error });
    expect(played.names).toEqual(names);
    expect(next(played)).toBe("create_research_file");
    expect(reasonsOf(played)).toEqual(["its own", expect.stringMatching(/failed: It is broken\.$/)]);
  });

  it("stops where the run's money is spent, as any other step does", () => {
    const error = { code: "budget" as const, message: "It is spent." };
    expect(play(1, { generate_next_queries: () => error }).plan).toMatchObject({
      kind: "outcome",
      outcome: { error },
    });
  });

  it("tells that results were chosen by rules", () => {
    const degraded = { ...chosen, degraded: true, reason: "The model did not choose." };
    const played = play(1, {
      select_research_sources_to_keep: () => ({ ...degraded, kept: 2, considered: 3 }),
    });
    expect(reasonsOf(played)[1]).toContain("chosen by rules alone. The model did not choose.");
  });

  it("tells that what to search for was found by rules, since no proposal of a model could be used", () => {
    const played = play(1, {
      generate_next_queries: (step) => ({
        ...usual["generate_next_queries"]?.(step),
        without_model: "It was useless.",
      }),
    });
    expect(reasonsOf(played)[1]).toMatch(/round 1 .* by rules alone\. It was useless\./);
  });

  it("asks for nothing again because a later round has written what an earlier one had read", () => {
    const played = play(2);
    const list = { name: ".nova/gathered/run_web_research.json", version: 0, sha256: null };
    const first = played.state.steps.get("generate_next_queries");
    if (first?.record == null) throw new Error("nothing was proposed");
    const record = { ...first.record, reads: [list] };
    played.state.steps.set(first.stepId, { ...first, record });
    const searches = played.executed.filter(({ capability }) => capability.name === "run_web_research");
    const authors = searches.map(({ stepId }) => authorOf(stepId, 1));
    const after = (writers: string[]) =>
      planRun(played.state, new Map([[`${list.name}@${list.version}`, writers]]));
    expect(after(authors)).toMatchObject({ steps: [{ stepId: "create_research_file" }] });
    expect(after([...authors, "person"])).toMatchObject({ steps: [{ stepId: "create_research_file" }] });
    expect(after(["person"])).toMatchObject({
      steps: [{ stepId: first.stepId, generation: 2, renews: true }],
    });
  });
});
