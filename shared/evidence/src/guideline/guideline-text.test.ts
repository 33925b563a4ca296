import { describe, expect, test } from "vitest";
import { decodeGuideline } from "./guideline-text.ts";

describe("decoding the file", () => {
  test("UTF-8 comes out as text, without its byte order mark", () => {
    expect(decodeGuideline(new TextEncoder().encode("\uFEFF# Gu\u00EDa \u6587\n"))).toBe(
      "# Gu\u00EDa \u6587\n",
    );
    expect(decodeGuideline(new Uint8Array())).toBe("");
  });

  test.each([
    ["NUL bytes", [0x23, 0x00, 0x41]],
    ["a lone continuation byte", [0x80]],
    ["UTF-16", [0xff, 0xfe, 0x23, 0x00]],
    ["Latin-1", [0x47, 0x75, 0xed, 0x61]],
  ])("%s: refused as invalid input", (_name, bytes) => {
    expect(() => decodeGuideline(Uint8Array.from(bytes))).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  });
});
