import { describe, expect, test } from "vitest";
import { type ReadablePage, work } from "./readable-page.ts";

const prose =
  "A client that repeats a failed request at once makes an outage worse, so it waits, and it waits longer each time. ".repeat(
    4,
  );

function extract(
  body: string,
  head = "<title>Retries | Acme Docs</title>",
  url = "https://acme.dev/docs/retry/",
): ReadablePage {
  return pageOf(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`, url);
}

function pageOf(html: string, url = "https://acme.dev/notes"): ReadablePage {
  const result = work({ html, url });
  if ("problem" in result) throw new Error(result.problem);
  return result.page;
}

describe("a readable page", () => {
  test("gives title, byline, date, licence and the text without the furniture of the page", () => {
    const head =
      '<title>Retries | Acme Docs</title><meta name="author" content="Jo Doe"><meta property="article:published_time" content="2026-01-02"><link rel="license" href="https://creativecommons.org/licenses/by/4.0/">';
    const page = extract(
      `<nav><a href="/">Home</a><a href="/x">Products</a></nav><main><h1>Retries</h1><p>${prose}</p><h2 id="b">Backoff <a class="headerlink" href="#b">¶</a></h2><p>${prose}</p></main><footer>Imprint of Acme</footer>`,
      head,
    );
    expect(page).toMatchObject({
      title: "Retries",
      facts: {
        author: "Jo Doe",
        published: "2026-01-02",
        licence: "CC-BY-4.0",
        licence_url: "https://creativecommons.org/licenses/by/4.0/",
      },
      omissions: [],
    });
    expect(page.markdown).toBe(`# Retries\n\n${prose.trim()}\n\n## Backoff\n\n${prose.trim()}`);
    expect(page.spans.map(({ start, end }) => page.markdown.slice(start, end))).toEqual([
      prose.trim(),
      prose.trim(),
    ]);
    expect(page.spans[1]?.locator.headings).toEqual(["Retries", "Backoff"]);
  });

  test("makes links absolute against the base, and drops those that cannot be fetched", () => {
    const page = extract(
      `<main><h1>Retries</h1><p>${prose} See <a href="../limits?x=1#y" title="t">limits</a>, <a href="javascript:alert(1)">this</a> and <img src="/a.png" alt="a chart"> <img src="data:image/png;base64,AAAA" alt="pixel">.</p></main>`,
    );
    expect(page.markdown).toContain(
      "See [limits](https://acme.dev/docs/limits?x=1#y), this and ![a chart](https://acme.dev/a.png) .",
    );
    const based = extract(`<base href="/v2/"><main><p>${prose} <a href="a">a</a></p></main>`);
    expect(based.markdown).toContain("[a](https://acme.dev/v2/a)");
  });

  test("keeps code with its language, tables, and formulas as TeX", () => {
    const page = extract(
      `<main><h1>Retries</h1><p>${prose}</p><div class="highlight-python notranslate"><div class="highlight"><pre>def f():\n    return 1\n</pre></div></div><p>${prose}</p><table><thead><tr><th>n</th><th>wait</th></tr></thead><tbody><tr><td>1</td><td><ul><li>2 s</li><li>4 s</li></ul></td></tr></tbody></table><p>So <span class="katex"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x_1^2</annotation></semantics></math><span>x12</span></span> holds. ${prose}</p></main>`,
    );
    expect(page.markdown).toContain("```python\ndef f():\n    return 1\n```");
    expect(page.markdown).toContain("| n | wait |\n| --- | --- |\n| 1 | 2 s; 4 s |");
    expect(page.markdown).toContain("So `x_1^2` holds.");
    expect(page.spans.map(({ kind }) => kind)).toEqual(["prose", "code", "prose", "table", "prose"]);
  });

  test("keeps reference pages that are code and definitions rather than paragraphs", () => {
    const entries = Array.from(
      { length: 12 },
      (_, n) => `<dl><dt>option_${n}</dt><dd>Sets limit ${n}.</dd></dl><pre>run --option-${n} value</pre>`,
    ).join("");
    const page = extract(`<main><h1>Options</h1>${entries}</main>`, "<title>Options</title>");
    expect(page.markdown).toContain("option_11");
    expect(page.markdown).toContain("```\nrun --option-11 value\n```");
  });

  test("reads HTML without html, head or body tags", () => {
    const html = `<title>Notes</title><h1>Notes</h1><p>${prose}<p>${prose}`;
    const page = pageOf(html);
    expect(page.title).toBe("Notes");
    expect(page.markdown).toContain(prose.trim());
  });

  test.each([
    [
      "a bot check",
      "<h1>Just a moment...</h1><p>Verifying you are human</p>",
      "<title>Just a moment...</title>",
      "challenge",
    ],
    [
      "a login wall",
      '<h1>Sign in</h1><form><input type="password"></form>',
      "<title>Sign in</title>",
      "login",
    ],
    ["a soft 404", `<h1>Page not found</h1><p>${prose}</p>`, "<title>Page not found</title>", "missing"],
    [
      "an empty shell",
      '<div id="root"></div><noscript>Enable JavaScript</noscript>',
      "<title>App</title>",
      "empty",
    ],
    ["a stub", "<p>Coming soon.</p>", "<title>Acme</title>", "empty"],
  ])("%s is no content", (_name, body, head, problem) => {
    expect(() => extract(body, head)).toThrow(problem);
  });

  test("refuses what is nested so deeply that extraction would not end", () => {
    const deep = `${"<div>".repeat(5_000)}${prose}${"</div>".repeat(5_000)}`;
    expect(() => extract(deep)).toThrow(/nested too deeply/);
  });

  test("end tags that may be left out do not count as depth", () => {
    expect(extract(`<main>${`<p>${prose}<li>x`.repeat(300)}</main>`).title).toBe("Retries | Acme Docs");
  });

  test("says what was cut from a page without end", () => {
    const { markdown, omissions } = extract(
      `<main><h1>Retries</h1>${`<p>${prose}</p>`.repeat(2_500)}</main>`,
    );
    expect(markdown.length).toBeLessThanOrEqual(1_000_000);
    expect(omissions).toEqual([`All after the first ${markdown.length} characters of the text.`]);
  });
});
