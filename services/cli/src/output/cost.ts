import type { RunCost } from "@proofroom/contracts";

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

/** What the calls of a run have come to, for a person. Nothing is said to cost $0 whose price is not known. */
export function costText(cost: RunCost): string {
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
