import { expect, it } from "vitest";
import { RecentlyUsed } from "./recently-used.ts";

it("what was read or written of late stays, and what was not makes room", () => {
  const map = new RecentlyUsed<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  expect(map.get("a")).toBe(1);
  map.set("c", 3);
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([1, undefined, 3]);
  map.set("a", 4);
  map.set("d", 5);
  expect([map.get("a"), map.get("c"), map.get("d")]).toEqual([4, undefined, 5]);
});
