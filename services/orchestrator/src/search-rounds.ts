import {
  generateNextQueries,
  runWebResearch,
  scrapeResearchUrls,
  selectResearchSourcesToKeep,
  selectResearchSourcesToScrape,
} from "@proofroom/contracts";
import { type LedgerState, stepIdOf } from "@proofroom/runtime/records";
import type { Walk } from "./walk.ts";

const perRound = 5;
const mostPages = 5;

const keep = {};
const toScrape = { max_sources: mostPages };

function queriesInput(round: number) {
  return { n_queries: perRound, round };
}

function searchInput(queries: readonly { question: string }[]) {
  return { queries: queries.map(({ question }) => question) };
}

/**
 * Rounds of search, each for the gaps that the evidence has after the one before, then what is worth keeping and reading in
 * full. It ends early where no gap is left or a round found nothing. What fails here fails no run: what was gathered
 * before stands, and the reason is noted.
 * @returns false while a step is missing
 */
export function searchForGaps(walk: Walk, rounds: number): boolean {
  let found = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const next = walk.attempt(generateNextQueries, queriesInput(round));
    if (next === "missing") return false;
    if (next === "failed") break;
    if (next.without_model !== undefined)
      walk.note(`What to search for in round ${round} was found by rules alone. ${next.without_model}`);
    if (next.queries.length === 0) break;
    const searched = walk.attempt(runWebResearch, searchInput(next.queries));
    if (searched === "missing") return false;
    if (searched === "failed") break;
    if (searched.gathered === 0) {
      const [failure] = searched.failures;
      walk.note(`Search round ${round} found nothing${failure === undefined ? "." : `: ${failure.message}`}`);
      break;
    }
    found += searched.gathered;
  }
  return found === 0 || readFound(walk);
}

function readFound(walk: Walk): boolean {
  const kept = walk.attempt(selectResearchSourcesToKeep, keep);
  if (kept === "missing") return false;
  if (kept === "failed") return true;
  noteDegraded(walk, "The search results to keep", kept);
  if (kept.kept === 0) {
    walk.note(`None of the ${kept.considered} search results was worth keeping.`);
    return true;
  }
  const chosen = walk.attempt(selectResearchSourcesToScrape, toScrape);
  if (chosen === "missing") return false;
  if (chosen === "failed") return true;
  noteDegraded(walk, "The pages to read in full", chosen);
  return chosen.urls.length === 0 || walk.attempt(scrapeResearchUrls, {}) !== "missing";
}

function noteDegraded(walk: Walk, what: string, how: { degraded: boolean; reason: string | null }): void {
  if (how.degraded) walk.note(`${what} were chosen by rules alone. ${how.reason ?? ""}`.trim());
}

/** Ids of all steps that searching has: those that write again what the rounds before them have read. */
export function searchSteps({ manifest, steps }: LedgerState): ReadonlyMap<string, null> {
  const ids = [
    stepIdOf(selectResearchSourcesToKeep, keep),
    stepIdOf(selectResearchSourcesToScrape, toScrape),
    stepIdOf(scrapeResearchUrls, {}),
  ];
  for (let round = 1; round <= manifest.options.search_rounds; round += 1) {
    const id = stepIdOf(generateNextQueries, queriesInput(round));
    const proposed = generateNextQueries.output.safeParse(steps.get(id)?.record?.output);
    ids.push(id);
    if (proposed.success) ids.push(stepIdOf(runWebResearch, searchInput(proposed.data.queries)));
  }
  return new Map(ids.map((id) => [id, null]));
}
