import { describe, expect, test } from "vitest";
import { decodePage } from "./decode-page.ts";

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
const ascii = (text: string) => Buffer.from(text, "latin1");
const joined = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));

const gbk = bytes("d6d0b9fa d6d0b9fa"); // 中国中国
const shiftJis = bytes("93fa 967b 8cea"); // 日本語
const cyrillic = bytes("cff0e8e2e5f2"); // Привет

describe("decodePage", () => {
  test.each([
    ["GBK by header", gbk, "text/html; charset=gb2312", "中国中国"],
    ["Shift-JIS by header", shiftJis, 'text/html; charset="Shift_JIS"', "日本語"],
    ["windows-1251 by header", cyrillic, "text/html;charset=windows-1251", "Привет"],
    ["latin1 by header", bytes("636166e9"), "text/html; charset=ISO-8859-1", "café"],
    ["UTF-8 under a latin1 label", Buffer.from("café"), "text/html; charset=iso-8859-1", "café"],
    ["UTF-8 without a label", Buffer.from("naïve 中"), "text/html", "naïve 中"],
    ["UTF-8 with a mark, against the header", bytes("efbbbf c3a9"), "text/html; charset=gbk", "é"],
    ["UTF-16 with a mark", bytes("fffe 6100 2d4e"), "text/html", "a中"],
    ["an unknown label", Buffer.from("é"), "text/html; charset=utf8mb4", "é"],
  ])("%s", (_name, input, contentType, text) => {
    expect(decodePage(input, contentType)).toBe(text);
  });

  test("a meta element counts where the header is silent", () => {
    const html = joined(
      ascii('<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><p>'),
      shiftJis,
    );
    expect(decodePage(html, "text/html")).toContain("日本語");
    expect(decodePage(joined(ascii("<meta charset='gbk'>"), gbk), "text/html")).toContain("中国");
    expect(decodePage(Buffer.from("<meta charset=utf-16>é"), "text/html")).toContain("é");
  });

  test("what is declared as UTF-8 but is not is guessed", () => {
    const russian = bytes(
      "cff0e8e2e5f22c20ece8f02120ddf2ee20efeee5e7e4 20ede020ecee f1eae2f3 20e820eee1f0e0f2edee",
    );
    const long = joined(...Array.from({ length: 20 }, () => russian));
    expect(decodePage(long, "text/html; charset=utf-8")).toContain("Привет");
  });

  test("a few broken bytes do not change the encoding of a page", () => {
    const page = joined(Buffer.from("naïve café ".repeat(200)), bytes("e9"), Buffer.from(" ende"));
    expect(decodePage(page, "text/html; charset=utf-8")).toMatch(/^naïve café [\s\S]*\ufffd ende$/);
  });

  test("bytes that are no text are refused", () => {
    expect(() => decodePage(bytes("00010203 00ff00fe 0000"), "text/html")).toThrow(/no readable text/);
  });
});
