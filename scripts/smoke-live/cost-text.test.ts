import { expect, it } from "vitest";
import { costText } from "./cost-text.ts";

const cost = { calls: 3, input_tokens: 20, output_tokens: 10, usd: 0.0123 };

it.each([
  [{ ...cost, unpriced_calls: 0 }, "$0.0123 of $0.25 at list prices"],
  [{ ...cost, unpriced_calls: 1 }, "$0.0123 of $0.25 at list prices, no price known of 1"],
  [{ ...cost, usd: 0, unpriced_calls: 3 }, "no price known"],
  [{ ...cost, calls: 0, usd: 0, unpriced_calls: 0 }, "$0.0000 of $0.25 at list prices"],
])("a cost of %j is told without a price that nobody knows", (of, told) => {
  expect(costText(of, "0.25")).toBe(`${of.calls} calls, 20 tokens in, 10 out, ${told}`);
});
