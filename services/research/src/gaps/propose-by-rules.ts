import { cutAtWord } from "../search/result-text.ts";
import type { QueryPlan } from "./ask-planner.ts";
import type { Coverage } from "./coverage.ts";

/** A point of which no sentence bears on half is a gap. */
const covered = 0.5;
/** In characters. */
const longestQuery = 300;

/** The points that the evidence covers least as gaps, and a query for each, without a model. */
export function proposeByRules(title: string | null, coverage: readonly Coverage[]): QueryPlan {
  const gaps = coverage
    .filter((one) => one.coverage < covered)
    .toSorted((one, other) => one.coverage - other.coverage);
  return {
    gaps: gaps.map(({ point, section }) => (section === null ? point : `${section}: ${point}`)),
    queries: gaps.map(({ point, coverage: share }) => ({
      question: queryOf(title, point),
      reason:
        share === 0
          ? "No source says anything about it."
          : `The best sentence that was gathered bears on ${Math.round(share * 100)} % of it.`,
    })),
  };
}

function queryOf(title: string | null, point: string): string {
  const line = point.replace(/\s+/g, " ").trim();
  const subject = title === null || line.toLowerCase().includes(title.toLowerCase()) ? "" : `${title}: `;
  return cutAtWord(`${subject}${line}`, longestQuery);
}
