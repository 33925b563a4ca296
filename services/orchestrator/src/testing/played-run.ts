import { type PublicError, runOptionsSchema, type StepRecord } from "@proofroom/contracts";
import type { LedgerState, StepState, Successors } from "@proofroom/runtime/records";
import { type Plan, type PlannedOutcome, planRun } from "../plan.ts";
import type { PlannedStep } from "../walk.ts";

/** A ledger in memory. */
export type PlayedState = LedgerState & { steps: Map<string, StepState> };

/** What a step gives, or why it fails; by capability. */
export type Answers = Readonly<Record<string, (step: PlannedStep) => Record<string, unknown> | PublicError>>;

export const sha = "0".repeat(64);
/** No artifact was written after it had been read. */
const nobody: Successors = new Map();

const counts = { status: "success", requested: 1, failed: 0, artifact: "a", failures: [] };
const chosen = { selected_by: "m", degraded: false, reason: null, artifact: "a" };
const written = { words: 1, written_by: "extractive", artifact: "a" };

/** Answers of a run with one section, one page and one search result, which is approved as it is. */
export const usual = {
  extract_guidelines_urls: () => ({
    github_urls: 0,
    git_urls: 0,
    youtube_videos_urls: 0,
    other_urls: 1,
    local_file_paths: 0,
    rejected: [],
    artifact: "a",
  }),
  process_local_files: () => ({ ...counts, gathered: 1 }),
  scrape_and_clean_other_urls: () => ({ ...counts, gathered: 1 }),
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
  create_research_file: () => ({ sources: 1, failures: 0, words: 1, artifact: "a" }),
  generate_article_outline: () => outlineOf(1),
  draft_article_section: () => ({ ...written, section_id: "s", citations: 1, sources: [], code_blocks: 0 }),
  refine_and_save_article: ({ input }) => ({
    ...written,
    round: input["round"],
    sections: 1,
    references: 1,
    revisions_applied: 0,
    revisions_open: 0,
    changed: true,
    article_sha256: sha,
  }),
  extract_and_validate_code: () => codeOf(0),
  execute_sandbox_tests: () => ({
    status: "success",
    total: 1,
    passed: 1,
    failed: 0,
    skipped: 0,
    not_run: 0,
    sandbox: "s",
    artifact: "a",
  }),
  fix_code_snippets: () => ({
    repaired: [],
    still_failing: [],
    fixed_code: null,
    article_sha256: null,
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
  export_publication_bundle: () => ({ status: "approved", reasons: [], bytes: 1, artifact: "a" }),
} satisfies Answers;

/** An outline of so many sections. */
export function outlineOf(sections: number) {
  const section = (n: number) => ({ section_id: `section_${n}`, title: "s", target_word_count: 1 });
  return { ...written, title: "t", sections: Array.from({ length: sections }, (_, n) => section(n + 1)) };
}

/** What is found in an article with so many code blocks. */
export function codeOf(blocks: number) {
  const found = { total_snippets: blocks, valid_syntax_count: blocks };
  return { ...found, invalid_syntax_count: 0, unchecked_count: 0, article_sha256: sha, artifact: "a" };
}

/** A run that was set in motion and has no step yet. */
export function emptyState(options: { search_rounds?: number } = {}): PlayedState {
  const at = new Date(0).toISOString();
  const manifest = {
    v: 1 as const,
    run_id: "run_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    tenant: "default",
    title: "t",
    created_at: at,
    plan: "write" as const,
    options: runOptionsSchema.parse(options),
  };
  return { manifest, epoch: { n: 1, reason: "start", at }, outcome: null, steps: new Map() };
}

/** Notes how a planned step ended. */
export function finish(
  state: PlayedState,
  { stepId, generation, capability }: PlannedStep,
  answer: ReturnType<Answers[string]>,
): void {
  if ("code" in answer) {
    const failure = answer as PublicError;
    state.steps.set(stepId, { stepId, generation, record: null, failure });
    return;
  }
  const at = new Date(0).toISOString();
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
    started_at: at,
    finished_at: at,
  };
  state.steps.set(stepId, { stepId, generation, record, failure: null });
}

/** Has a finished step have read a version of an artifact. @throws where it has not finished */
export function haveRead(state: PlayedState, stepId: string, read: StepRecord["reads"][number]): void {
  const step = state.steps.get(stepId);
  if (step?.record == null) throw new Error(`${stepId} has not finished`);
  state.steps.set(stepId, { ...step, record: { ...step.record, reads: [read] } });
}

/** The steps that are planned. @throws where the run has ended */
export function plannedSteps(state: PlayedState): readonly PlannedStep[] {
  const plan = planRun(state, nobody);
  if (plan.kind === "outcome") throw new Error("the run has ended");
  return plan.steps;
}

/** Plays a run on, step by step in the order that `pick` says, to its end or to the first step that has no answer. */
export function playOn(
  state: PlayedState,
  answers: Answers,
  pick: (count: number) => number = () => 0,
): { executed: PlannedStep[]; plan: Plan } {
  const executed: PlannedStep[] = [];
  for (let turn = 0; turn < 500; turn += 1) {
    const plan = planRun(state, nobody);
    if (plan.kind === "outcome") return { executed, plan };
    const step = plan.steps[pick(plan.steps.length)];
    if (step === undefined) throw new Error("the planner neither ends nor plans anything");
    const answer = answers[step.capability.name]?.(step);
    if (answer === undefined) return { executed, plan };
    executed.push(step);
    finish(state, step, answer);
  }
  throw new Error("the run does not end");
}

/** How a run ends that is played on. @throws where it does not */
export function outcomeOf(state: PlayedState, answers: Answers): PlannedOutcome {
  const { plan } = playOn(state, answers);
  if (plan.kind === "steps") throw new Error(`nothing answers ${plan.steps[0]?.stepId}`);
  return plan.outcome;
}
