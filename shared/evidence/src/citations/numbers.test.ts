import { describe, expect, test } from "vitest";
import { findNumbers, nearNumber, sameNumber } from "./numbers.ts";

function agree(claim: string, evidence: string): boolean {
  const there = findNumbers(evidence);
  return findNumbers(claim).every((number) => there.some((other) => sameNumber(number, other)));
}

describe("numbers agree", () => {
  test.each([
    ["1,200 jobs", "1200 jobs"],
    ["1.5 million users", "1,500,000 users"],
    ["50%", "50 percent"],
    ["200 ms", "0.2 seconds"],
    ["2 hours", "120 minutes"],
    ["3 retries", "three retries"],
    ["version 3.12.1", "v3.12.1"],
    ["on 2024-03-01", "on March 1, 2024"],
    ["5 seconds", "timeout: 5"],
    ["a 10GB disk", "10 GB"],
    ["$5", "$5"],
    ["two years", "24 months"].map((text) => text.replace("two", "2")),
  ])("%s and %s", (claim, evidence) => {
    expect(findNumbers(claim ?? "").length).toBeGreaterThan(0);
    expect(agree(claim ?? "", evidence ?? "")).toBe(true);
  });
});

describe("numbers differ", () => {
  test.each([
    ["1,200 jobs", "1,201 jobs"],
    ["50%", "50 ms"],
    ["5 ms", "5 seconds"],
    ["version 3.12.1", "v3.12.2"],
    ["on 2024-03-01", "on April 1, 2024"],
    ["$5", "€5"],
    ["1.5 million", "1.5 billion"],
    ["10:30", "10:31"],
  ])("%s and %s", (claim, evidence) => {
    expect(agree(claim, evidence)).toBe(false);
  });
});

test("words that hold digits state no number", () => {
  expect(findNumbers("The H100 and utf8 and S3.")).toEqual([]);
});

test("a figure called rounded may differ by five per cent", () => {
  const [about] = findNumbers("about 50%");
  const [exact] = findNumbers("49.2%");
  const [far] = findNumbers("40%");
  const [bare] = findNumbers("50%");
  if (about === undefined || exact === undefined || far === undefined || bare === undefined)
    throw new Error("no number");
  expect([nearNumber(about, exact), nearNumber(about, far), nearNumber(bare, exact)]).toEqual([
    true,
    false,
    false,
  ]);
});
