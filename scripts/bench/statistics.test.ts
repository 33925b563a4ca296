import { describe, expect, it } from "vitest";
import { median, pairedRatio, percentile } from "./statistics.ts";

describe("the median", () => {
  it("is the middle value, by size and not by place", () => {
    expect(median([100, 2, 9])).toBe(9);
    expect(median([10, 9, 100])).toBe(10);
  });

  it("is the mean of the two middle values of an even number", () => {
    expect(median([4, 1, 2, 100])).toBe(3);
  });

  it("leaves the values in their order", () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it("does not exist without values", () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe("the paired ratio", () => {
  it("compares within rounds, so that a slow round changes nothing", () => {
    expect(pairedRatio([2, 200, 4], [1, 100, 2])).toBe(2);
  });

  it("is not the ratio of the medians", () => {
    expect(pairedRatio([10, 20, 60], [5, 20, 20])).toBe(2);
    expect(pairedRatio([1, 6, 6], [1, 2, 3])).toBe(2);
  });

  it("refuses rounds that do not pair", () => {
    expect(() => pairedRatio([1, 2], [1])).toThrow(RangeError);
  });
});

describe("a percentile", () => {
  const hundred = Array.from({ length: 100 }, (_none, at) => 100 - at);

  it("is the value below which that share of them lies, itself included", () => {
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 1)).toBe(100);
  });

  it("is a value that was measured, also of few", () => {
    expect(percentile([3, 1], 0.99)).toBe(3);
    expect(percentile([3, 1], 0)).toBe(1);
  });

  it("does not exist without values", () => {
    expect(() => percentile([], 0.5)).toThrow(RangeError);
  });
});
