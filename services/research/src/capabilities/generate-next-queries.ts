import {
  artifact,
  type generateNextQueries,
  nextQueriesText,
  type Source,
  sourceSchema,
} from "@proofroom/contracts";
import { parseGuidelineBrief } from "@proofroom/evidence";
import { extractive, type Models } from "@proofroom/models";
import type { Handler, StepArtifacts } from "@proofroom/runtime";
import { createAskPlanner, type QueryPlan } from "../gaps/ask-planner.ts";
import { measureCoverage } from "../gaps/coverage.ts";
import { proposeByRules } from "../gaps/propose-by-rules.ts";
import { standing } from "../search/candidates.ts";
import { readRounds, roundNames } from "../search/file-round.ts";
import type { Round } from "../search/round.ts";
import { readGathered } from "./corpus-index.ts";

type Proposal = QueryPlan & { reason: string | null; by: string; withoutModel?: string };

/** The handler of generate_next_queries: what the gathered evidence lacks, and what to search for. */
export function createGenerateNextQueries(models: Models): Handler<typeof generateNextQueries> {
  const askPlanner = createAskPlanner(models);
  return async ({ n_queries: count, round }, context) => {
    const { artifacts, signal } = context;
    const rounds = standing(await readRounds(artifacts, await roundNames(artifacts)));
    const propose = async (): Promise<Proposal> => {
      if (round > 1 && rounds.length > 0 && !broughtNew(rounds)) {
        return { gaps: [], queries: [], reason: "The last search brought nothing new.", by: extractive };
      }
      const guideline = await artifacts.readText(artifact.guideline);
      const brief = parseGuidelineBrief(guideline);
      const sources = await readSources(artifacts);
      const coverage = await measureCoverage(brief, sources, signal);
      const asked = [...new Set(rounds.flatMap(({ queries }) => queries))];
      const planned = await askPlanner({ guideline, sources, coverage, asked, count }, context);
      if (planned !== null && "plan" in planned)
        return { ...unasked(planned.plan, asked, count), by: planned.by };
      return {
        ...unasked(proposeByRules(brief.title, coverage), asked, count),
        by: extractive,
        ...(planned === null ? {} : { withoutModel: planned.reason }),
      };
    };
    const { gaps, queries, reason, by, withoutModel } = await propose();
    await artifacts.writeJson(artifact.nextQueries, {
      queries,
      gaps,
      ...(reason === null ? {} : { reason }),
    });
    await artifacts.writeText(artifact.nextQueriesText, textOf({ queries, gaps, reason }));
    return {
      queries,
      gaps,
      reason,
      written_by: by,
      ...(withoutModel === undefined ? {} : { without_model: withoutModel }),
      artifact: artifact.nextQueries,
    };
  };
}

/** Whether the last search found a page that none before it had found. */
function broughtNew(rounds: readonly Round[]): boolean {
  const last = rounds.at(-1);
  const earlier = new Set(rounds.slice(0, -1).flatMap(({ found }) => found.map(({ key }) => key)));
  return last?.found.some(({ key }) => !earlier.has(key)) ?? false;
}

async function readSources(artifacts: StepArtifacts): Promise<Source[]> {
  const { entries } = await readGathered(artifacts);
  const sources: Source[] = [];
  for (const { source } of entries) sources.push(await artifacts.readJson(source.artifact, sourceSchema));
  return sources;
}

/** Nothing is searched for twice. */
function unasked(
  plan: QueryPlan,
  asked: readonly string[],
  count: number,
): Omit<Proposal, "by" | "withoutModel"> {
  const known = new Set(asked.map(keyOf));
  const queries = plan.queries.filter(({ question }) => {
    const key = keyOf(question);
    return !known.has(key) && known.add(key) !== undefined;
  });
  const none = plan.gaps.length === 0 ? "No gap is left." : "All that is missing was searched for already.";
  return {
    gaps: [...new Set(plan.gaps)],
    queries: queries.slice(0, count),
    reason: queries.length === 0 ? none : null,
  };
}

function keyOf(query: string): string {
  return query.toLowerCase().replace(/\s+/g, " ").trim();
}

function textOf({ queries, gaps, reason }: Pick<Proposal, "queries" | "gaps" | "reason">): string {
  const parts = [nextQueriesText({ queries }).trimEnd()];
  if (reason !== null) parts.push(reason);
  if (gaps.length > 0) parts.push("### Gaps", gaps.map((gap) => `- ${gap.replace(/\s+/g, " ")}`).join("\n"));
  return `${parts.join("\n\n")}\n`;
}
