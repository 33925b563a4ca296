import type { Spent } from "@proofroom/models";

/** What the asking of models came to, at the list prices of the models file. */
export interface Cost {
  calls: number;
  input_tokens: number;
  output_tokens: number;
  usd: number;
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
    models: spent.models,
  };
}

export function costText({ calls, input_tokens, output_tokens, usd, models }: Cost): string {
  const by = Object.entries(models).map(([model, n]) => `${model} ${n}`);
  return `Models: ${calls} ${calls === 1 ? "call" : "calls"} (${by.join(", ")}), ${input_tokens} tokens in and ${output_tokens} out, $${usd.toFixed(4)} at list prices.`;
}
