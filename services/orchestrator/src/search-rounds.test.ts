import { authorOf } from "@proofroom/runtime/records";
import { describe, expect, it } from "vitest";
import { planRun } from "./plan.ts";
import {
  type Answers,
  emptyState,
  haveRead,
  outcomeOf,
  outlineOf,
  playOn,
  usual,
} from "./testing/played-run.ts";
import type { PlannedStep } from "./walk.ts";

/** What the steps of a search answer, of a guideline that names no source; a test changes what it is about. */
const { create_research_file: _end, ...research } = {
  ...usual,
  extract_guidelines_urls: () => ({ ...usual.extract_guidelines_urls(), other_urls: 0 }),
};

/** Plays a run up to research.md: what was executed, in order, and with which input. */
function play(rounds: number, over: Answers = {}) {
  const state = emptyState({ search_rounds: rounds });
  const { executed, plan } = playOn(state, { ...research, ...over });
  const names = executed.map(({ capability }) => capability.name).slice(1);
  return { state, executed, names, plan };
}

function next({ plan }: ReturnType<typeof play>): string | undefined {
  return plan.kind === "steps" ? plan.steps[0]?.capability.name : undefined;
}

/** The reasons that a run tells at its end, which is made short here. */
function reasonsOf({ state }: ReturnType<typeof play>): readonly string[] {
  const outcome = outcomeOf(state, {
    ...usual,
    generate_article_outline: () => outlineOf(0),
    export_publication_bundle: () => ({ ...usual.export_publication_bundle(), reasons: ["its own"] }),
  });
  return outcome.status === "succeeded" ? outcome.reasons : [];
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
        step.input["round"] === 2 ? none : usual.generate_next_queries(step),
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
      run_web_research: () => ({
        ...usual.run_web_research(),
        status: "error",
        gathered: 0,
        failures: [failure],
      }),
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
    const degraded = { degraded: true, reason: "The model did not choose." };
    const played = play(1, {
      select_research_sources_to_keep: () => ({ ...usual.select_research_sources_to_keep(), ...degraded }),
    });
    expect(reasonsOf(played)[1]).toContain("chosen by rules alone. The model did not choose.");
  });

  it("tells that what to search for was found by rules, since no proposal of a model could be used", () => {
    const played = play(1, {
      generate_next_queries: (step) => ({
        ...usual.generate_next_queries(step),
        without_model: "It was useless.",
      }),
    });
    expect(reasonsOf(played)[1]).toMatch(/round 1 .* by rules alone\. It was useless\./);
  });

  it("asks for nothing again because a later round has written what an earlier one had read", () => {
    const played = play(2);
    const list = { name: ".nova/gathered/run_web_research.json", version: 0, sha256: null };
    const first = "generate_next_queries";
    haveRead(played.state, first, list);
    const searches = played.executed.filter(({ capability }) => capability.name === "run_web_research");
    const authors = searches.map(({ stepId }) => authorOf(stepId, 1));
    const after = (writers: string[]) =>
      planRun(played.state, new Map([[`${list.name}@${list.version}`, writers]]));
    expect(after(authors)).toMatchObject({ steps: [{ stepId: "create_research_file" }] });
    expect(after([...authors, "person"])).toMatchObject({ steps: [{ stepId: "create_research_file" }] });
    expect(after(["person"])).toMatchObject({
      steps: [{ stepId: first, generation: 2, renews: true }],
    });
  });
});
