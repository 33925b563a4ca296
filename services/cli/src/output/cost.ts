import type { Spent } from "@proofroom/models";

/** What the asking of models came to, at the list prices of the models file. */
export interface Cost {
  calls: number;
  input_tokens: number;
  output_tokens: number;
  usd: number;
  /** Calls that `usd` leaves out: their models have no price in the models file. */
  unpriced_calls: number;
  /** Calls by model. */
  models: Record<string, number>;
}

/** Null where no model was asked. */
export function costOf(spent: Spent): Cost | null {
  if (spent.calls === 0) return null;
  return {
    calls: spent.calls,
    input_tokens: spent.inputTokens,
    output_tokens: spent.outputTokens,
    // A millionth of a dollar is less than any call costs.
    usd: Math.round(spent.cost * 1_000_000) / 1_000_000,
    unpriced_calls: spent.unpricedCalls,
    models: spent.models,
  };
}

function callsText(calls: number): string {
  return `${calls} ${calls === 1 ? "call" : "calls"}`;
}

/** The same for a person. Nothing is said to cost $0 whose price is not known. */
export function costText(cost: Cost): string {
  const { calls, input_tokens, output_tokens, usd, unpriced_calls, models } = cost;
  const by = Object.entries(models).map(([model, n]) => `${model} ${n}`);
  const costs: string[] = [];
  if (unpriced_calls < calls) costs.push(`$${usd.toFixed(4)} at list prices`);
  if (unpriced_calls > 0)
    costs.push(`${callsText(unpriced_calls)} of models without a price in infra/models.yaml`);
  return `Models: ${callsText(calls)} (${by.join(", ")}), ${input_tokens} tokens in and ${output_tokens} out; ${costs.join(", and ")}.`;
}
