import { describe, expect, test } from "vitest";
import { type PdfTextItem, paragraphsOfPage } from "./pdf-page-text.ts";

const item = (str: string, y: number, more: Partial<PdfTextItem> = {}): PdfTextItem => ({
  str,
  transform: [1, 0, 0, 1, 0, y],
  height: 10,
  hasEOL: false,
  ...more,
});

describe("the paragraphs of a page", () => {
  test("are lines joined, with words that were broken at their ends mended", () => {
    const lines = ["Clients wait be-", "fore they ask, self-", "made or not, co-", "Author.", "Next"];
    const ys = [100, 88, 76, 64, 20];
    const items = lines.map((line, at) => item(line, ys[at] ?? 0, { hasEOL: true }));
    expect(paragraphsOfPage(items).map(({ text }) => text)).toEqual([
      "Clients wait before they ask, selfmade or not, co- Author.",
      "Next",
    ]);
  });

  test.each([
    ["letters of one line", { hasEOL: false }],
    ["lines of one paragraph", { hasEOL: true }],
  ])("a megabyte of %s is no work of minutes", (_name, more) => {
    const items = Array.from({ length: 500_000 }, (_, at) => item("ab", 10 - at / 1_000_000, more));
    const [paragraph, ...others] = paragraphsOfPage(items);
    expect(others).toEqual([]);
    expect(paragraph?.text.replaceAll(" ", "")).toHaveLength(1_000_000);
  });
});
