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
    "",
    "much",
    "-1",
    "searches=1.5",
    "searches=",
    "euro=1",
    "constructor=1",
    "usd=1,usd=2",
    "0.5,searches=3",
    "searches=9999999999",
  ])("refuses %j instead of running without a limit", (text) => {
    expect(() => parseBudget(text)).toThrow(/amount of US dollars/);
  });
});
