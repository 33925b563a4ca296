import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanLine, cleanText, cutAtWord, firstWords, notEvidence } from "./result-text.ts";

describe("text of a search result", () => {
  test("loses what steers a terminal, turns a line around or hides words", () => {
    const hostile = "a\u001b[31mb\u0000c\u202ed\u2066e\u200bf\u{e0041}\u{e0042}g\r\nh\u2028i\tj\ud800";
    expect(cleanText(hostile)).toBe("a[31mbcdefg\nh\ni j\ufffd");
  });

  test("keeps what scripts and emoji are joined by", () => {
    expect(cleanText("👩\u200d💻 می\u200cخواهم")).toBe("👩\u200d💻 می\u200cخواهم");
  });

  test("is one line where it is a title, whatever it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(cleanLine(text)).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
        expect(cleanLine(text).length).toBeLessThanOrEqual(300);
      }),
    );
  });
});

describe("cutting at a word", () => {
  test("keeps whole words, never more than fit, and nothing but the beginning", () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 60 }), fc.integer({ min: 20, max: 100 }), (text, limit) => {
        const cut = cutAtWord(text, limit);
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut === text || text.slice(cut.length).startsWith(" ")).toBe(true);
      }),
    );
  });

  test("tears no character apart where there is no word to cut at", () => {
    expect(cutAtWord("😀".repeat(10), 5)).toBe("😀😀");
    expect(cutAtWord("重试会使故障更严重", 4)).toBe("重试会使");
  });
});

describe("the first words", () => {
  test("are as many as wanted, and all of a text that has no more", () => {
    expect(firstWords("one two\n\nthree four", 3)).toBe("one two\n\nthree");
    expect(firstWords("one two three", 3)).toBe("one two three");
  });

  test("end in scripts without blanks as well", () => {
    expect(firstWords("重".repeat(1_000), 300)).toHaveLength(600);
  });
});

describe("what is no evidence", () => {
  test.each([
    ["nothing", "", "", "no text"],
    ["marks only", "", "… — !!! ***", "no text"],
    ["a few letters", "", "Read more", "too little text to be cited"],
    ["an error", "Docs", "Error 429: Too many requests, please slow down your requests.", "an error message"],
    ["a status line", "Docs", "502 Bad Gateway", "an error message"],
    [
      "a failed fetch",
      "Docs",
      "Failed to fetch the page because the host did not answer.",
      "an error message",
    ],
    [
      "a challenge by its title",
      "Just a moment...",
      "Enable JavaScript and cookies to continue using this site",
      "a bot check",
    ],
    [
      "a challenge by its text",
      "docs.dev",
      "Checking if the site connection is secure. docs.dev needs to review the security of your connection.",
      "a bot check",
    ],
    [
      "a login page",
      "Sign in to continue",
      "Use your account to read this page and many others.",
      "a login page",
    ],
    [
      "a page that is gone",
      "404 – Page not found",
      "We looked everywhere for it and found nothing at all.",
      'a "not found" page',
    ],
    ["data", "API", '{"error": {"code": 500, "message": "something broke"}}', "data for programs, not text"],
  ])("%s", (_what, title, text, holds) => {
    expect(notEvidence(title, text)).toBe(holds);
  });

  test.each([
    ["a short excerpt", "Backoff", "Jitter spreads retries over time."],
    ["another script", "重试", "指数退避会在每次失败后把等待时间加倍,并加上随机抖动以分散请求。"],
    [
      "a text about errors",
      "Error handling",
      "Errors are values. An error that is returned must be handled by its caller.",
    ],
    [
      "a text about challenges",
      "CAPTCHA",
      `A captcha tells humans from robots. ${"It has a long history. ".repeat(80)}`,
    ],
  ])("but not %s", (_what, title, text) => {
    expect(notEvidence(title, text)).toBeNull();
  });
});
