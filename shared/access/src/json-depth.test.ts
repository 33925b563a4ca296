import fc from "fast-check";
import { expect, it } from "vitest";
import { nestsDeeper } from "./json-depth.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

it("the depth of a message is told as a parser would find it, whatever its texts hold", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat({ max: 7 }), (value, limit) => {
      const json = Buffer.from(JSON.stringify(value, null, limit % 3));
      expect(nestsDeeper(json, limit)).toBe(depthOf(value) > limit);
    }),
  );
  expect(nestsDeeper(Buffer.from('["[[[[", "\\"[[[", "\\\\", [1]]'), 2)).toBe(false);
  expect(nestsDeeper(Buffer.from('["\\\\", [[1]]]'), 2)).toBe(true);
});
