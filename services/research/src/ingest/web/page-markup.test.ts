import { describe, expect, test } from "vitest";
import { parseHtml } from "./html-document.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";
import { normaliseTables, removeClutter, writeFormulas } from "./page-markup.ts";

const page = (body: string, head = "") => parseHtml(`<html><head>${head}</head><body>${body}</body></html>`);

describe("tables", () => {
  test("keeps every pipe, and columns that are joined", () => {
    const html =
      "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>x || y</code></td><td>1|2</td></tr><tr><td colspan=2>both</td></tr></tbody></table>";
    expect(htmlToMarkdown(html)).toBe("| a | b |\n| --- | --- |\n| `x \\|\\| y` | 1\\|2 |\n| both |  |");
  });

  test("gives a table without header an empty one, and puts its caption before it", () => {
    const html =
      "<table><caption>Waits</caption><tr><td>1</td><td>2 s</td></tr><tr><td>2</td><td>4 s</td></tr></table>";
    expect(htmlToMarkdown(html)).toBe("Waits\n\n|  |  |\n| --- | --- |\n| 1 | 2 s |\n| 2 | 4 s |");
  });

  test("turns what stands in cells into running text", () => {
    const html =
      "<table><tr><th>n</th><th>what</th></tr><tr><td><h3>One</h3><p>first</p></td><td><ul><li>x</li><li>y</li></ul><pre>a\nb</pre><hr><blockquote>q</blockquote></td></tr></table>";
    expect(htmlToMarkdown(html)).toBe("| n | what |\n| --- | --- |\n| **One** first | x; y `a b`q |");
  });

  test("looks once for the last item of a list in a cell, and not for each item", () => {
    const items = "<li>x</li>".repeat(50);
    const document = page(`<table><tr><td>n</td><td><ul>${items}</ul></td></tr></table>`);
    const list = document.querySelector("ul");
    if (list === null) throw new Error("there is no list");
    const { children } = list;
    let asked = 0;
    Object.defineProperty(list, "children", {
      get() {
        asked += 1;
        return children;
      },
    });
    normaliseTables(document);
    expect(asked).toBeLessThanOrEqual(1);
    expect(document.body.textContent).toBe(`n${"x; ".repeat(49)}x  `);
  });

  test("dissolves tables that only lay out the page", () => {
    expect(
      htmlToMarkdown(
        "<table><tr><td><p>one</p><table><tr><td>a</td><td>b</td></tr></table></td><td>two</td></tr></table>",
      ),
    ).toBe("one\n\n|  |  |\n| --- | --- |\n| a | b |\n\ntwo");
    expect(htmlToMarkdown("<table><tr><td>alone</td></tr></table>")).toBe("alone");
  });

  test("survives absurd spans", () => {
    expect(
      htmlToMarkdown(
        '<table><tr><th colspan="99999999">a</th><th colspan="-3">b</th></tr><tr><td colspan="x">c</td><td>d</td></tr></table>',
      ).length,
    ).toBeLessThan(2_000);
  });

  test("a table of thousands of rows is no work of minutes", () => {
    expect(
      htmlToMarkdown(`<table>${"<tr><td>a</td><td>b</td></tr>".repeat(3_000)}</table>`).split("\n"),
    ).toHaveLength(3_002);
  });
});

describe("page markup", () => {
  test("links of headings to themselves and footnote calls are removed", () => {
    const document = page(
      '<h2>Waits <a href="#w">¶</a></h2><h2><a href="#x">Kept</a></h2><p>So it is.<sup class="reference">[3]</sup></p>',
    );
    removeClutter(document);
    expect(document.body.textContent).toBe("Waits KeptSo it is.");
  });

  test("formulas are written as TeX", () => {
    const document = page(
      '<p><span class="mwe-math-element"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">{\\displaystyle x_{1}}</annotation></semantics></math><img alt="x"></span> and <math alttext="y^2"><mi>y</mi></math> and <math><mi>z</mi></math></p>',
    );
    writeFormulas(document);
    expect(htmlToMarkdown(document.body.innerHTML)).toBe("`x_{1}` and `y^2` and z");
  });
});

test("a megabyte of blanks in a formula is no work of minutes", () => {
  const document = page(`<math alttext="{\\displaystyle${" ".repeat(1_000_000)}x"></math>`);
  writeFormulas(document);
  expect(document.querySelector("code")?.textContent).toContain("displaystyle");
});
