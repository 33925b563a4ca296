import { assertArtifactName } from "@proofroom/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileNameOf, slugOf, UniqueNames } from "./unique-names.ts";

describe("file names", () => {
  test.each([
    ["Retry, Backoff & Jitter!", "retry-backoff-jitter"],
    ["../../etc/passwd", "etc-passwd"],
    ["重试指南", "重试指南"],
    ["   ", "source"],
    ["...", "source"],
  ])("the slug of %j is %s", (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  test("any text gives a plain, visible name of one segment", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        for (const name of [fileNameOf(text), slugOf(text)]) {
          expect(name).toMatch(/^[^./\\-][^/\\]*$/);
          assertArtifactName(`.nova/x/${name}-999.md`);
        }
      }),
    );
  });

  test("no name is handed out twice, whatever its case", () => {
    const names = new UniqueNames();
    expect(["a", "A", "a-2", "a"].map((name) => names.take(name))).toEqual(["a", "A-2", "a-2-2", "a-3"]);
  });
});
