import type { RunCost } from "@proofroom/contracts";
import { describe, expect, it } from "vitest";
import { costText } from "./cost.ts";

const nothing: RunCost = {
  calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  usd: 0,
  unpriced_calls: 0,
  models: {},
  searches: {},
  unpriced_searches: 0,
  pages: 0,
};
const calls: Partial<RunCost> = { calls: 3, input_tokens: 20, output_tokens: 10, models: { m: 3 } };

function textOf(spent: Partial<RunCost>): string {
  return costText({ ...nothing, ...spent });
}

describe("what a run cost", () => {
  it("is told at list prices where all have one", () => {
    expect(textOf({ ...calls, usd: 0.0123 })).toBe(
      "Asked: 3 calls of models (m 3), 20 tokens in and 10 out; $0.0123 at list prices.",
    );
  });

  it("is never told as nothing where no price is known", () => {
    const unpriced = textOf({ ...calls, unpriced_calls: 3 });
    expect(unpriced).toMatch(/out; 3 calls without a price in infra\/models\.yaml\.$/);
    expect(unpriced).not.toContain("$");
    expect(textOf({ searches: { perplexity: 1 }, unpriced_searches: 1 })).toBe(
      "Asked: 1 search (perplexity 1); 1 search without a price in infra/models.yaml.",
    );
  });

  it("names what it leaves out", () => {
    expect(textOf({ ...calls, unpriced_calls: 1, usd: 0.5 })).toMatch(
      /\$0\.5000 at list prices, and 1 call without a price/,
    );
  });

  it("counts searches and pages, also where no model was asked", () => {
    expect(textOf({ searches: { tavily: 2, arxiv: 1 }, usd: 0.032, pages: 4 })).toBe(
      "Asked: 3 searches (tavily 2, arxiv 1); 4 pages fetched; $0.0320 at list prices.",
    );
    expect(textOf({ pages: 1 })).toBe("Asked: 1 page fetched.");
  });
});
