import { expect, test } from "vitest";
import { openLatencies } from "./latencies.ts";
import { errorsRow, latencyRow, rateRow } from "./load-rows.ts";

function summary() {
  const latencies = openLatencies();
  for (let ms = 1; ms <= 100; ms += 1) latencies.add("look", ms);
  latencies.add("make", 7);
  return latencies.summary();
}

test("each kind of request has its own figures", () => {
  expect(summary()).toEqual({
    look: { count: 100, p50: 50, p95: 95, p99: 99, most: 100 },
    make: { count: 1, p50: 7, p95: 7, p99: 7, most: 7 },
  });
});

test("a row tells the median, and the slow ones beside it", () => {
  const { make } = summary();
  expect(make && latencyRow("make", make)).toMatchObject({
    value: 7,
    unit: "ms",
    detail: "95 %: 7.0, 99 %: 7.0, 1 times",
  });
});

test("requests of all kinds count for the rate", () => {
  expect(rateRow("all", summary(), 10).value).toBe(10.1);
});

test("errors are summed up and named, and none is what they should be", () => {
  expect(errorsRow({})).toEqual({ what: "errors", value: 0, unit: "answers", target: { atMost: 0 } });
  expect(errorsRow({ "look: 500": 2, "make: 503": 1 })).toMatchObject({
    value: 3,
    detail: "2 × look: 500, 1 × make: 503",
  });
});
