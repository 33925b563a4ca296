import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { makeSource } from "./make-source.ts";

const parts = {
  kind: "document" as const,
  ref: "notes.md",
  title: "Notes",
  text: "Grüße 😀",
  spans: [{ start: 0, end: 5, kind: "prose" as const, locator: {} }],
  provenance: {
    method: "file" as const,
    content_sha256: "0".repeat(64),
    bytes: 3,
    media_type: "text/markdown",
    omissions: [],
  },
};

describe("makeSource", () => {
  test("hashes the text in UTF-8", () => {
    const hash = createHash("sha256").update(Buffer.from(parts.text, "utf8")).digest("hex");
    expect(makeSource(parts)).toMatchObject({ v: 1, sha256: hash, text: parts.text });
  });

  test("a lone surrogate becomes U+FFFD, so that the stored text has the hash and the offsets", () => {
    const source = makeSource({ ...parts, text: "ab\uD83Dcd" });
    expect(source.text).toBe("ab\uFFFDcd");
    expect(source.sha256).toBe(createHash("sha256").update(source.text).digest("hex"));
  });

  test.each([
    [
      "that overlap",
      [
        [0, 4],
        [3, 5],
      ],
    ],
    [
      "out of order",
      [
        [4, 6],
        [0, 2],
      ],
    ],
    ["beyond the text", [[0, 99]]],
    ["without length", [[2, 2]]],
  ])("spans %s are refused", (_, ranges) => {
    const spans = ranges.map(([start = 0, end = 0]) => ({ start, end, kind: "prose" as const, locator: {} }));
    expect(() => makeSource({ ...parts, spans })).toThrow(/built wrongly/);
  });

  test("an empty title is refused", () => {
    expect(() => makeSource({ ...parts, title: "" })).toThrow(/built wrongly/);
  });
});
