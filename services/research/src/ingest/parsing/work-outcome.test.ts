import { ProofroomError } from "@proofroom/contracts";
import { describe, expect, test } from "vitest";
import { outcomeOf } from "./work-outcome.ts";

const needsAnother: string = "data:text/javascript,import 'file:///nowhere.mjs'";

describe("what comes of a piece of work", () => {
  test.each<[string, () => unknown]>([
    [
      "too deep a recursion",
      () => {
        const deeper = (): number => deeper() + 1;
        return deeper();
      },
    ],
    ["too long a string", () => "x".repeat(2 ** 20).padEnd(2 ** 30)],
    ["too long a list", () => new Array(2 ** 32)],
  ])("is too_large for %s", async (_name, work) => {
    expect(await outcomeOf(work)).toMatchObject({ error: { code: "too_large" } });
  });

  test.each<[string, () => unknown]>([
    ["a number of digits that there is not", () => (1).toFixed(101)],
    ["a time that there is not", () => new Date(Number.NaN).toISOString()],
    ["a negative count", () => "x".repeat(-1)],
    ["a package that is not there", () => import(needsAnother)],
  ])("is a fault of ours for %s", async (_name, work) => {
    expect(await outcomeOf(work)).toEqual({ fault: expect.stringMatching(/Error/) });
  });

  test("is the input's for any other error, and our own errors keep their code", async () => {
    const work = () => JSON.parse("{");
    expect(await outcomeOf(work)).toEqual({ crash: expect.stringContaining("SyntaxError") });
    const ours = new ProofroomError({ code: "no_evidence", message: "Nothing is there." });
    expect(await outcomeOf(() => Promise.reject(ours))).toEqual({
      error: { code: "no_evidence", message: "Nothing is there." },
    });
  });
});
