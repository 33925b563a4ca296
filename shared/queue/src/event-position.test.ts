import { expect, it } from "vitest";
import { comparePositions } from "./event-position.ts";

it("positions are ordered by their numbers, of 64 bits each", () => {
  expect(comparePositions("9-0", "10-0")).toBeLessThan(0);
  expect(comparePositions("10-9", "10-10")).toBeLessThan(0);
  expect(comparePositions("10-1", "10-1")).toBe(0);
  expect(comparePositions("0", "0-0")).toBe(0);
  expect(comparePositions("1-18446744073709551615", "1-18446744073709551614")).toBeGreaterThan(0);
});
