import { describe, expect, it } from "vitest";
import { parseBudget } from "./parse-budget.ts";

describe("--budget", () => {
  it.each([
    ["0.25", { budget_usd: 0.25 }],
    ["0", { budget_usd: 0 }],
    ["usd=0.5,searches=30,pages=50", { budget_usd: 0.5, budget_searches: 30, budget_pages: 50 }],
    ["tokens=200000", { budget_tokens: 200_000 }],
    ["searches=0, pages=1", { budget_searches: 0, budget_pages: 1 }],
  ])("takes %s", (text, budget) => {
    expect(parseBudget(text)).toEqual(budget);
  });

  it.each([
    ["", "usd=", "dollars"],
    ["much", "usd=much", "dollars"],
    ["-1", "usd=-1", "dollars"],
    ["0,50", "usd=0,50", "dollars"],
    ["9999999", "usd=9999999", "dollars"],
    ["searches=1.5", "searches=1.5", "whole number"],
    ["searches=", "searches=", "whole number"],
    ["searches=9999999999", "searches=9999999999", "whole number"],
    ["usd=0.5,pages=x", "pages=x", "whole number"],
    ["euro=1", "euro=1", "none of usd, tokens, searches, pages"],
    ["constructor=1", "constructor=1", "none of usd"],
    ["0.5,searches=3", "0.5", "none of usd"],
    ["usd=1,", "", "none of usd"],
    ["usd=1,usd=2", "usd=2", "before"],
  ])(
    "refuses %j instead of running without a limit, and says which part is wrong and why",
    (text, part, reason) => {
      const parse = () => parseBudget(text);
      expect(parse).toThrow(`"${part}" `);
      expect(parse).toThrow(reason);
      expect(parse).toThrow("such as usd=0.25,tokens=500000");
    },
  );
});
