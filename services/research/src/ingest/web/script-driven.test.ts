import { describe, expect, test } from "vitest";
import { isScriptDriven } from "./script-driven.ts";

const of = (html: string) =>
  isScriptDriven({ bytes: Buffer.from(html), contentType: "text/html", finalUrl: "https://x.dev/" });

describe("a page that scripts may fill", () => {
  test.each([
    ["a script", "<p>x</p><script>run()</script>", true],
    ["a script of a named type", '<script type="module" src="a.js"></script>', true],
    [
      "data alone",
      '<script type="application/ld+json">{}</script><script type=application/json>{}</script>',
      false,
    ],
    ["no script", "<p>script</p>", false],
  ])("has %s", (_name, html, isDriven) => {
    expect(of(html)).toBe(isDriven);
  });

  test("is told in a megabyte of scripts that never end without work of minutes", () => {
    expect(of("<script type ".repeat(80_000))).toBe(false);
  });
});
