import { describe, expect, it } from "vitest";
import { withoutMarkers } from "./citation-markers.ts";
import { isContentsHeading, isReferencesHeading, titleKey } from "./headings.ts";

describe("titleKey", () => {
  it.each([
    ["Section 2 - How it works", "How it works!"],
    ["3.1 `Queues` & caches", "queues caches"],
    ["Part 4: Ｌogs", "LOGS"],
  ])("takes %s and %s for one title", (one, other) => {
    expect(titleKey(one)).toBe(titleKey(other));
  });

  it("keeps a title that is a number, and numbers within words", () => {
    expect(titleKey("2024")).toBe("2024");
    expect(titleKey("3D printing")).toBe("3d printing");
  });
});

it("knows the headings of contents and references, with a colon too", () => {
  expect(["Contents", "table of contents:"].every(isContentsHeading)).toBe(true);
  expect(["References", " references: "].every(isReferencesHeading)).toBe(true);
  expect(isReferencesHeading("Reference")).toBe(false);
});

it("takes markers of every kind off a text, and no link", () => {
  expect(withoutMarkers("A [1]. B [S2, S3][4–6] c [7](x)")).toBe("A. B c [7](x)");
});
