import type { Spent } from "@proofroom/models";

/** What the asking of models and of search providers came to, at the list prices of the models file. */
export interface Cost {
  /** Calls of models. */
  calls: number;
  input_tokens: number;
  output_tokens: number;
  usd: number;
  /** Calls that `usd` leaves out: their models have no price in the models file. */
  unpriced_calls: number;
  /** Calls by model. */
  models: Record<string, number>;
  /** Searches by provider, and those of them that `usd` leaves out. */
  searches: Record<string, number>;
  unpriced_searches: number;
  /** Pages that were fetched. */
  pages: number;
}

/** Null where nobody was asked anything. */
export function costOf(spent: Spent): Cost | null {
  const { calls, searches, pages } = spent;
  if (calls === 0 && pages === 0 && Object.keys(searches).length === 0) return null;
  return {
    calls,
    input_tokens: spent.inputTokens,
    output_tokens: spent.outputTokens,
    // A millionth of a dollar is less than any call costs.
    usd: Math.round(spent.cost * 1_000_000) / 1_000_000,
    unpriced_calls: spent.unpricedCalls,
    models: spent.models,
    searches,
    unpriced_searches: spent.unpricedSearches,
    pages,
  };
}

function counted(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0);
}

function byName(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, n]) => `${name} ${n}`)
    .join(", ");
}

/** The same for a person. Nothing is said to cost $0 whose price is not known. */
export function costText(cost: Cost): string {
  const { calls, input_tokens, output_tokens, usd, unpriced_calls, unpriced_searches, pages } = cost;
  const searches = total(cost.searches);
  const asked: string[] = [];
  if (calls > 0) {
    asked.push(
      `${counted(calls, "call", "calls")} of models (${byName(cost.models)}), ${input_tokens} tokens in and ${output_tokens} out`,
    );
  }
  if (searches > 0) asked.push(`${counted(searches, "search", "searches")} (${byName(cost.searches)})`);
  if (pages > 0) asked.push(`${counted(pages, "page", "pages")} fetched`);
  const costs: string[] = [];
  if (unpriced_calls < calls || unpriced_searches < searches) costs.push(`$${usd.toFixed(4)} at list prices`);
  const unpriced: string[] = [];
  if (unpriced_calls > 0) unpriced.push(counted(unpriced_calls, "call", "calls"));
  if (unpriced_searches > 0) unpriced.push(counted(unpriced_searches, "search", "searches"));
  if (unpriced.length > 0) costs.push(`${unpriced.join(" and ")} without a price in infra/models.yaml`);
  const ending = costs.length === 0 ? "" : `; ${costs.join(", and ")}`;
  return `Asked: ${asked.join("; ")}${ending}.`;
}
