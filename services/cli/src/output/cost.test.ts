import { describe, expect, it } from "vitest";
import { costOf, costText } from "./cost.ts";

function textOf(unpricedCalls: number, cost: number): string {
  const spent = { calls: 3, inputTokens: 20, outputTokens: 10, cost, unpricedCalls, models: { m: 3 } };
  const told = costOf(spent);
  expect(told?.unpriced_calls).toBe(unpricedCalls);
  return told === null ? "" : costText(told);
}

describe("what models cost", () => {
  it("is told at list prices where all have one", () => {
    expect(textOf(0, 0.0123)).toBe("Models: 3 calls (m 3), 20 tokens in and 10 out; $0.0123 at list prices.");
  });

  it("is never told as nothing where no price is known", () => {
    expect(textOf(3, 0)).toMatch(/out; 3 calls of models without a price in infra\/models\.yaml\.$/);
    expect(textOf(3, 0)).not.toContain("$");
  });

  it("names the calls that it leaves out", () => {
    expect(textOf(1, 0.5)).toMatch(/\$0\.5000 at list prices, and 1 call of models without a price/);
  });
});
