import { describe, expect, it } from "vitest";
import { jaccard, terms } from "./terms.ts";

describe("terms", () => {
  it("gives inflected words one form and leaves out stop words", () => {
    expect(terms("The workers are retrying")).toEqual(terms("worker retries").map((term) => term));
  });

  it("finds names by their parts", () => {
    expect(terms("get_weather")).toEqual(expect.arrayContaining(terms("weather")));
    expect(terms("parseGuideline")).toEqual(expect.arrayContaining(terms("guideline")));
  });
});

describe("jaccard", () => {
  it("is the shared part of two sets", () => {
    expect(jaccard(new Set(["a", "b"]), new Set(["b", "c"]))).toBeCloseTo(1 / 3);
    expect(jaccard(new Set(), new Set(["a"]))).toBe(0);
  });
});
