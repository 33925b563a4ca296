import { parseMarkdown } from "@proofroom/markdown";
import fc from "fast-check";
import type { Nodes } from "mdast";
import { describe, expect, test } from "vitest";
import { htmlToMarkdown } from "./html-to-markdown.ts";

function nodeTypes(node: Nodes): string[] {
  return [node.type, ...("children" in node ? node.children.flatMap(nodeTypes) : [])];
}

describe("htmlToMarkdown", () => {
  test("keeps words as they are read, so that quotations are found", () => {
    const html = "<p>Set max_retries to 3, a * b, arr[0], f(x) &gt; 1 and C:\\temp. It costs $5.</p>";
    expect(htmlToMarkdown(html)).toBe(
      "Set max_retries to 3, a * b, arr[0], f(x) > 1 and C:\\temp. It costs $5.",
    );
  });

  test.each([
    ["<p># not a heading</p>", "\\# not a heading"],
    ["<p>1. not a list</p>", "1\\. not a list"],
    ["<p>- not a list</p>", "\\- not a list"],
    ["<p>&gt; not a quote</p>", "\\> not a quote"],
    ["<p>--- </p>", "\\---"],
    ["<p>&lt;b&gt;not bold&lt;/b&gt;</p>", "\\<b>not bold\\</b>"],
    ["<p>**not bold** and _not_ and `not`</p>", "\\*\\*not bold\\*\\* and \\_not\\_ and \\`not\\`"],
    ["<p>[no](link) [x]: y</p>", "[no\\](link) [x\\]: y"],
    ["<p>&amp;lt; stays</p>", "\\&lt; stays"],
  ])("escapes what Markdown would take for markup: %s", (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown);
  });

  test("fences code with its language, with a fence longer than any inside", () => {
    const html = '<pre><code class="language-md">```js\n1\n```</code></pre>';
    expect(htmlToMarkdown("<pre>a_b\n<b>c</b></pre>")).toBe("```\na_b\nc\n```");
    expect(htmlToMarkdown(html)).toBe("````md\n```js\n1\n```\n````");
  });

  test("drops scripts and invisible characters", () => {
    expect(htmlToMarkdown("<p>in&shy;visi\u200bble&nbsp;x</p><script>alert(1)</script>")).toBe("invisible x");
  });

  test("no HTML survives in the Markdown, whatever is left open or closed wrongly", () => {
    const tags =
      "p div b pre code table tr td th ul li h2 blockquote a script style br math svg title textarea".split(
        " ",
      );
    const piece = fc.oneof(
      fc.constantFrom(...tags.map((tag) => `<${tag}>`), ...tags.map((tag) => `</${tag}>`)),
      fc.constantFrom(
        "<a href=x",
        "<!--",
        "-->",
        "<!doctype html>",
        "<html>",
        "<body>",
        "</body>",
        "<![CDATA[",
        "&lt;",
        "&#0;",
      ),
      fc.string({ maxLength: 6 }),
    );
    const html = fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(html, (input) => {
        const markdown = htmlToMarkdown(`${input}<script>evil()</script>`);
        expect(nodeTypes(parseMarkdown(markdown))).not.toContain("html");
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ["blanks in code", `<pre>a${" ".repeat(1_000_000)}b</pre>`],
    [
      "blanks in a table's code",
      `<table><tr><td>x</td><td><code>a${" ".repeat(1_000_000)}b</code></td></tr></table>`,
    ],
    ["a tag that never ends", `<p>a</p><${"a".repeat(1_000_000)}`],
    ["html tags that never end", `<p>a</p>${"<html ".repeat(160_000)}`],
    ["declarations that never end", `<p>a</p>${"<!doctype".repeat(110_000)}`],
  ])("a megabyte of %s is no work of minutes", (_name, html) => {
    expect(htmlToMarkdown(html)).toContain("a");
  });
});
