import { describe, expect, test, vi } from "vitest";
import { normaliseCodeBlocks } from "./code-blocks.ts";
import { parseHtml } from "./html-document.ts";

function normalised(body: string): string {
  const document = parseHtml(`<html><head></head><body>${body}</body></html>`);
  normaliseCodeBlocks(document);
  return document.body.innerHTML;
}

const python = '<pre><code class="language-python">x = 1</code></pre>';

describe("normaliseCodeBlocks", () => {
  test.each([
    ["class of code", '<pre><code class="hljs language-python">x = 1</code></pre>'],
    ["lang- class", '<pre class="lang-python"><code>x = 1</code></pre>'],
    [
      "Sphinx",
      '<div class="highlight-python notranslate"><div class="highlight"><pre><span></span>x = 1\n</pre></div></div>',
    ],
    ["GitHub", '<div class="highlight highlight-source-python"><pre>x = 1</pre></div>'],
    ["Pandoc", '<div class="sourceCode"><pre class="sourceCode python"><code>x = 1</code></pre></div>'],
    ["SyntaxHighlighter", '<pre class="brush: python; toolbar: false">x = 1</pre>'],
    ["data-lang", '<figure class="highlight"><pre><code data-lang="python">x = 1</code></pre></figure>'],
    [
      "with a copy button",
      '<div class="code-wrapper"><button>Copy</button><pre><code class="language-python">x = 1</code></pre></div>',
    ],
    [
      "line number table",
      '<table class="rouge-table"><tr><td class="gutter"><pre>1</pre></td><td class="code"><pre class="language-python">x = 1</pre></td></tr></table>',
    ],
  ])("finds the language: %s", (_name, html) => {
    expect(normalised(html)).toBe(python);
  });

  test("keeps line breaks that are made by elements", () => {
    const lines = '<pre><code><span class="line">a</span><span class="line">b</span></code></pre>';
    expect(normalised(lines)).toBe("<pre><code>a\nb</code></pre>");
    expect(normalised("<pre>a<br>b</pre>")).toBe("<pre><code>a\nb</code></pre>");
    expect(normalised("<pre><code><div>a</div><div>b</div></code></pre>")).toBe(
      "<pre><code>a\nb</code></pre>",
    );
    const already = '<pre><span class="line">a</span>\n<span class="line">b</span></pre>';
    expect(normalised(already)).toBe("<pre><code>a\nb</code></pre>");
  });

  test("keeps every panel of tabbed code, hidden ones too, each with its language", () => {
    const tabs =
      '<div class="CodeTabs"><div class="CodeTabs-toolbar"><button>JS</button><button>Python</button></div><div class="CodeTabs-inner"><pre><code data-lang="js">y</code></pre><pre style="display:none"><code data-lang="python">x = 1</code></pre></div></div>';
    expect(normalised(tabs)).toBe(`<pre><code class="language-js">y</code></pre>${python}`);
  });

  test("leaves text around code, and tables of data that hold code", () => {
    const example = '<div class="example"><p>Run this:</p><pre><code>x</code></pre></div>';
    expect(normalised(example)).toBe(example);
    const table = "<table><tr><td><pre><code>a</code></pre></td><td>what a does</td></tr></table>";
    expect(normalised(table)).toBe(table);
  });

  test("a megabyte of blanks in a block is no work of minutes", () => {
    const code = `x${" ".repeat(1_000_000)}y`;
    expect(normalised(`<pre>${code}</pre>`)).toBe(`<pre><code>${code}</code></pre>`);
  });

  test.each([
    ["blocks", "<pre>x = 1</pre>"],
    ["tables of blocks", '<table class="code"><tr><td><pre>x = 1</pre></td></tr></table>'],
  ])("a wrapper's %s are counted once, and not for each of them", (_name, block) => {
    const document = parseHtml(
      `<html><head></head><body><div class="language-python">${block.repeat(50)}</div></body></html>`,
    );
    const wrapper = document.querySelector("div");
    if (wrapper === null) throw new Error("there is no wrapper");
    const count = vi.spyOn(wrapper, "querySelectorAll");
    normaliseCodeBlocks(document);
    expect(count.mock.calls.filter(([selector]) => selector === "pre").length).toBeLessThanOrEqual(2);
    expect(document.body.innerHTML.match(/<pre><code>x = 1/g)).toHaveLength(50);
  });
});
