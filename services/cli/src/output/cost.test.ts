import type { Spent } from "@proofroom/models";
import { describe, expect, it } from "vitest";
import { costOf, costText } from "./cost.ts";

const nothing: Spent = {
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  unpricedCalls: 0,
  models: {},
  searches: {},
  unpricedSearches: 0,
  pages: 0,
};
const calls: Partial<Spent> = { calls: 3, inputTokens: 20, outputTokens: 10, models: { m: 3 } };

function textOf(spent: Partial<Spent>): string {
  const told = costOf({ ...nothing, ...spent });
  return told === null ? "" : costText(told);
}

describe("what a run cost", () => {
  it("is told at list prices where all have one", () => {
    expect(textOf({ ...calls, cost: 0.0123 })).toBe(
      "Asked: 3 calls of models (m 3), 20 tokens in and 10 out; $0.0123 at list prices.",
    );
  });

  it("is never told as nothing where no price is known", () => {
    const unpriced = textOf({ ...calls, unpricedCalls: 3 });
    expect(unpriced).toMatch(/out; 3 calls without a price in infra\/models\.yaml\.$/);
    expect(unpriced).not.toContain("$");
    expect(textOf({ searches: { perplexity: 1 }, unpricedSearches: 1 })).toBe(
      "Asked: 1 search (perplexity 1); 1 search without a price in infra/models.yaml.",
    );
  });

  it("names what it leaves out", () => {
    expect(textOf({ ...calls, unpricedCalls: 1, cost: 0.5 })).toMatch(
      /\$0\.5000 at list prices, and 1 call without a price/,
    );
  });

  it("counts searches and pages, also where no model was asked", () => {
    expect(textOf({ searches: { tavily: 2, arxiv: 1 }, cost: 0.032, pages: 4 })).toBe(
      "Asked: 3 searches (tavily 2, arxiv 1); 4 pages fetched; $0.0320 at list prices.",
    );
    expect(textOf({ pages: 1 })).toBe("Asked: 1 page fetched.");
  });

  it("is nothing to tell where nobody was asked", () => {
    expect(costOf(nothing)).toBeNull();
  });
});
