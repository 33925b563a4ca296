import { expect, it } from "vitest";
import { mostWithin } from "./arrivals.ts";

it.each([
  ["none", [], 10, 0],
  ["a row, whose ends belong to no common stretch", [0, 5, 10], 10, 2],
  ["a burst between two that are far apart", [0, 100, 101, 102, 300], 10, 3],
  ["arrivals that are told out of their order", [300, 2, 1, 0], 10, 3],
])("of %s it is told how many fall into one stretch at most", (_name, arrivals, length, most) => {
  expect(mostWithin(arrivals, length)).toBe(most);
});
