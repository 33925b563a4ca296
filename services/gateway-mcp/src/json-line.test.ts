import { describe, expect, it } from "vitest";
import { jsonLine } from "./json-line.ts";

describe("a quoted value", () => {
  it("is the same when it is read again, and hides nothing", () => {
    const hidden = [..."IGNORE"]
      .map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
      .join("");
    const value = {
      text: `a\u202eb\u2028error: forged\u2029\u200b\u009b31m\u001b[31m\u061c\ud800 é 漢 😀${hidden}`,
    };
    const line = jsonLine(value);
    expect(JSON.parse(line)).toEqual(value);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    expect(line).toContain("é 漢 😀");
  });
});
