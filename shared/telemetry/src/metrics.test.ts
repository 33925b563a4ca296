import { describe, expect, it } from "vitest";
import { createCounter, createHistogram, gaugeText } from "./metrics.ts";

describe("a metric", () => {
  it("is told with its type, and each series with its labels", () => {
    const counter = createCounter("asked_total", "Questions.");
    counter.add({ by: "a" });
    counter.add({ by: "b" }, 3);
    counter.add({ by: "a" });
    expect(counter.text()).toBe(
      '# HELP asked_total Questions.\n# TYPE asked_total counter\nasked_total{by="a"} 2\nasked_total{by="b"} 3\n',
    );
  });

  it("without labels has no braces", () => {
    expect(gaugeText("up", "Whether it is.", [[{}, 1]])).toBe(
      "# HELP up Whether it is.\n# TYPE up gauge\nup 1\n",
    );
  });

  it("cannot be forged by the value of a label", () => {
    const text = gaugeText("up", "Whether it is.", [[{ name: '"} 1\nforged{x="\\' }, 1]]);
    expect(text.split("\n").slice(2)).toEqual(['up{name="\\"} 1\\nforged{x=\\"\\\\"} 1', ""]);
  });

  it("counts a value in every bucket that it does not exceed", () => {
    const histogram = createHistogram("took_seconds", "Durations.", [1, 5]);
    for (const value of [0.5, 1, 3, 60]) histogram.observe({}, value);
    expect(histogram.text().split("\n").slice(2, -1)).toEqual([
      'took_seconds_bucket{le="1"} 2',
      'took_seconds_bucket{le="5"} 3',
      'took_seconds_bucket{le="+Inf"} 4',
      "took_seconds_sum 64.5",
      "took_seconds_count 4",
    ]);
  });
});
