import {
  artifact,
  type CapabilityName,
  failuresShown,
  gatheredArtifact,
  type searchOutputSchema,
} from "@proofroom/contracts";
import type { OutsideCalls } from "@proofroom/models";
import type { StepContext } from "@proofroom/runtime";
import { z } from "zod";
import { candidatesOf, placeOf } from "./candidates.ts";
import { fileRound, readRounds, roundNames } from "./file-round.ts";
import { languageOf } from "./language.ts";
import type { Providers } from "./open-providers.ts";
import { type ProviderName, searchResultSchema } from "./provider.ts";
import { makeRound, type Round } from "./round.ts";
import { runQueries } from "./run-queries.ts";
import type { Wait } from "./wait.ts";

export interface SearchStepDeps {
  providers: Providers;
  /** Through which searches are made: they are counted, and recorded with the run. */
  calls: OutsideCalls;
  now: () => Date;
  wait: Wait;
}

type SearchOutput = z.output<typeof searchOutputSchema>;

/** Results that are asked for per query: what the reference system asks for. */
const maxResults = 5;
/** Below the time limit of the capabilities that search, so that what was found is filed before it. */
const timeMs = 240_000;

/** What the capabilities that search do: all queries, the round filed with what is made of all rounds, the counts. */
export async function searchStep(
  context: StepContext,
  deps: SearchStepDeps,
  plan: { capability: CapabilityName; provider: ProviderName | undefined; queries: readonly string[] },
): Promise<SearchOutput> {
  const { artifacts, signal, runId, stepId, generation } = context;
  const provider = await deps.providers.open(plan.provider, async () =>
    languageOf((await artifacts.tryReadText(artifact.guideline)) ?? ""),
  );
  const queries = [...new Set(plan.queries.map((query) => query.replace(/\s+/g, " ").trim()))];
  // A round that cannot be read is told before anything is paid for.
  const rounds = await readRounds(artifacts, await roundNames(artifacts));
  const outcomes = await runQueries(provider, queries, {
    signal,
    maxResults,
    search: (query, signal, call) =>
      deps.calls.search(
        {
          asker: { runId, stepId, generation },
          provider: provider.name,
          query,
          maxResults,
          found: z.array(searchResultSchema),
          signal,
        },
        call,
      ),
    timeMs,
    wait: deps.wait,
    onDone: (done) => context.progress({ done, total: queries.length }),
  });
  const round = makeRound(
    {
      capability: plan.capability,
      stepId: context.stepId,
      generation: context.generation,
      provider: provider.name,
      place: placeOf(context.stepId, rounds),
      at: deps.now(),
    },
    outcomes,
  );
  await fileRound(artifacts, round);
  return outputOf(round);
}

function outputOf(round: Round): SearchOutput {
  const gathered = candidatesOf([round]).length;
  const failed = round.failures.length;
  return {
    status: gathered === 0 ? "error" : failed === 0 ? "success" : "partial_success",
    requested: round.queries.length,
    gathered,
    failed,
    artifact: gatheredArtifact(round.capability),
    failures: round.failures.slice(0, failuresShown),
    notes: round.notes,
  };
}
