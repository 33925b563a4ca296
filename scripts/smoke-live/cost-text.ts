/** What a run's models cost, as the command line tells it. */
export interface Cost {
  calls: number;
  input_tokens: number;
  output_tokens: number;
  usd: number;
  unpriced_calls: number;
}

/** What the calls of a run came to, of so many dollars; a call whose price is not known is told as that, and not as free. */
export function costText(cost: Cost, budget: string): string {
  const { calls, input_tokens, output_tokens, usd, unpriced_calls } = cost;
  const costs =
    calls > 0 && unpriced_calls === calls
      ? "no price known"
      : `$${usd.toFixed(4)} of $${budget} at list prices${unpriced_calls === 0 ? "" : `, no price known of ${unpriced_calls}`}`;
  return `${calls} calls, ${input_tokens} tokens in, ${output_tokens} out, ${costs}`;
}
