import { describe, expect, test } from "vitest";
import { parseGuidelineBrief } from "./brief.ts";
import { tameHostileText } from "./hostile-text.ts";
import { parseGuidelineReferences } from "./references.ts";

const SIZE = 200_000;

/** A text of about `SIZE` characters made of one piece, followed by a source that must still be found. */
function repeated(piece: string): string {
  return `${piece.repeat(Math.ceil(SIZE / piece.length))}\n\n- https://example.com/last\n`;
}

// Most of these take the Markdown parser minutes unless they are tamed; the time limit of the test is the guard.
describe("hostile guidelines are parsed in linear time", () => {
  test.each([
    ["opening brackets", repeated("[")],
    ["image brackets", repeated("![")],
    ["closing brackets", repeated("a]")],
    ["nested brackets", `${"[".repeat(SIZE / 2)}${repeated("]")}`],
    ["unfinished links", repeated("[a](")],
    ["emphasis", repeated("*a_")],
    ["nested quotes", `a\n\n${repeated(">")}`],
    ["nested lists", repeated("- ").replace("- \n", "- a\n")],
    ["punctuation after a URL", `http://a.b/${".".repeat(SIZE)}x${repeated(" y")}`],
    ["entities after a URL", `http://a.b/${"&a;".repeat(SIZE / 3)}x${repeated(" y")}`],
    ["domains that fail", repeated("_www.a")],
    ["unfinished HTML", repeated("a <?")],
  ])("%s", (_name, text) => {
    expect(parseGuidelineReferences(text).other_urls).toContain("https://example.com/last");
  });

  test("a megabyte of brackets", () => {
    expect(parseGuidelineReferences("[".repeat(1_000_000)).other_urls).toEqual([]);
  });

  test("many URLs", () => {
    const urls = Array.from({ length: 3000 }, (_, index) => `https://example.com/${index}`);
    expect(parseGuidelineReferences(urls.map((url) => `- ${url}\n`).join("")).other_urls).toEqual(urls);
  });

  test("many headings and sections", () => {
    const text = Array.from({ length: 1000 }, (_, index) => `## Section ${index} - T${index}\n- a\n`).join(
      "",
    );
    expect(
      parseGuidelineBrief(`## Outline\n${"1. x\n".repeat(1000)}\n${text}`).sections.length,
    ).toBeGreaterThan(0);
  });
});

describe("taming", () => {
  test("leaves ordinary text as it is", () => {
    const text =
      `> > - [x] **a** [b](https://c.d/e...) _f_ <!-- g --> ${"-".repeat(400)}\n${"*".repeat(400)}\n`.repeat(
        20,
      );
    expect(tameHostileText(text)).toBe(text);
  });

  test("spares underscores of names and the fences of code blocks, however many there are", () => {
    const text = `${"1. src/__a_b_c.py\n".repeat(900)}~~~\n${"* ** _x_\n".repeat(900)}~~~\n1. src/a_b.py\n`;
    expect(parseGuidelineReferences(text).local_file_paths).toEqual(["src/__a_b_c.py", "src/a_b.py"]);
  });

  test("keeps every offset", () => {
    const text = `${"[".repeat(9000)}\n${"> ".repeat(300)}a\nb${".".repeat(300)}c ${"*a ".repeat(3000)}`;
    const tamed = tameHostileText(text);
    expect(tamed).not.toBe(text);
    expect(tamed).toHaveLength(text.length);
    expect(tamed.split("\n").map((line) => line.length)).toEqual(text.split("\n").map((line) => line.length));
  });
});
