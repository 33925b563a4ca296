import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shorten } from "./shorten.ts";

describe("shortening a result", () => {
  it("leaves what is small as it is, and says so", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const limit = Buffer.byteLength(JSON.stringify(value));
        expect(shorten(value, limit)).toEqual({ value, cut: false });
      }),
    );
  });

  it("keeps long lists and texts below the limit, never dividing a character, and says so", () => {
    const value = {
      sources: Array.from({ length: 5_000 }, (_, at) => ({ id: `S${at}`, title: "🙂".repeat(200) })),
    };
    const { value: short, cut } = shorten(value, 8_000);
    expect(cut).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(short))).toBeLessThanOrEqual(8_000);
    expect(JSON.stringify(short).isWellFormed()).toBe(true);
    expect(short["sources"]).not.toHaveLength(0);
  });
});
