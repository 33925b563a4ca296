import type { Element, Root } from "hast";
import rehypeRaw from "rehype-raw";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { beforeAll, describe, expect, it } from "vitest";
import type { Fence } from "../extract-fences.ts";
import { splitSections } from "../split-sections.ts";
import { tableOfContents } from "../table-of-contents.ts";
import { type RenderOptions, renderMarkdown } from "./render-markdown.ts";

async function html(markdown: string, options?: RenderOptions): Promise<string> {
  return (await renderMarkdown(markdown, options)).html;
}

/** The elements a browser would make of the output. */
function elementsOf(output: string): Element[] {
  const tree = unified()
    .use(rehypeRaw)
    .runSync({ type: "root", children: [{ type: "raw", value: output }] } as Root) as Root;
  const found: Element[] = [];
  visit(tree, "element", (node) => {
    found.push(node);
  });
  return found;
}

// The parsers and themes are loaded at first use; no single test should pay for that.
beforeAll(async () => {
  await renderMarkdown("```py\n1\n```\n\n```ts\n1\n```\n");
});

const hostile = [
  "<script>alert(1)</script>",
  "<ScRiPt src=//evil.example/x.js></sCrIpT>",
  "<img src=x onerror=alert(1)>",
  "<img src='data:text/html,<script>alert(1)</script>'>",
  "<img src=data:image/png;base64,AA== srcset='http://evil.example/a 2x' onload=alert(1)>",
  "[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](java&#10;script:alert(1)) [d](data:text/html,x) [e](vbscript:x)",
  "<a href=' javascript:alert(1)'>x</a><a href='//evil.example'>y</a><a href=x target=_blank ping=http://evil.example>z</a>",
  "<svg onload=alert(1)><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe><object data=x></object><embed src=x>",
  "<style>@import 'http://evil.example/x.css'; body{display:none}</style><link rel=stylesheet href=http://evil.example>",
  "<p style='background:url(http://evil.example)' onclick=alert(1) class=status id=main>x</p>",
  "<meta http-equiv=refresh content='0;url=http://evil.example'><base href=http://evil.example/>",
  "<form action=http://evil.example><input name=q autofocus onfocus=alert(1)><button formaction=javascript:alert(1)>x</button></form>",
  "<picture><source srcset=http://evil.example/a.png><img src=http://evil.example/b.png></picture>",
  "<video src=http://evil.example poster=http://evil.example></video><audio src=x></audio>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
  "<template><script>alert(1)</script></template><textarea></textarea><title></title>",
  "<details open ontoggle=alert(1)><summary>s</summary>x</details>",
  "$$\\href{javascript:alert(1)}{x}$$ $$\\htmlId{main}{x}$$ $$\\includegraphics{http://evil.example/a.png}$$ $$\\url{javascript:alert(1)}$$",
  '```js"><img/src=x/onerror=alert(1)>\n</code></pre><script>alert(1)</script>\n```',
  '```{.x" onclick=alert(1)}\ncode\n```',
  "| a |\n| - |\n| <img src=x onerror=alert(1)> |",
  '![x" onerror="alert(1)](http://evil.example/a.png "t\\" onload=alert(1)")',
  "# <img src=x onerror=alert(1)> heading",
  "[^1]\n\n[^1]: <script>alert(1)</script>",
];

const safeTags = new Set(
  (
    "a abbr b blockquote br code dd del details div dl dt em figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p " +
    "pre q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead time tr ul var " +
    "math semantics annotation mrow mi mo mn mtext msup mstyle mspace mpadded menclose"
  ).split(" "),
);
const safeAttribute =
  /^(href|src|alt|title|className|id|rel|style|tabIndex|ariaLabel|ariaDescribedBy|dataFootnote\w*|role|open|start|type|disabled|checked|colSpan|rowSpan|scope|xmlns|display|encoding|mathcolor|mathvariant|stretchy|separator|fence|width|height|lang|dir|value)$/;

describe("renderMarkdown on hostile input", () => {
  it.each(hostile.map((one) => [one]))("leaves nothing that runs or fetches: %s", async (markdown) => {
    for (const node of elementsOf(await html(`Before.\n\n${markdown}\n\nAfter.`))) {
      expect([...safeTags]).toContain(node.tagName);
      for (const [name, value] of Object.entries(node.properties)) {
        expect(name).toMatch(safeAttribute);
        if (name === "href") expect(value).toMatch(/^(https?:\/\/|mailto:|#)/);
        if (name === "src") expect(value).toMatch(/^data:image\//);
        if (name === "style")
          expect(value).toMatch(
            /^(--shiki-[a-z-]+:[^;()]+;?|color:#[0-9a-f]{6};?|(height|min-width|width|vertical-align):[-\d.]+em;?)+$/,
          );
        if (name === "id") expect(value).not.toBe("main");
        if (name === "type") expect(value).toBe("checkbox");
      }
    }
  });

  it("does not let raw HTML pass for a block that was run", async () => {
    const around = { aroundCode: () => ({ before: "<b>ran</b>", after: "" }) };
    const output = await html('```py\n1\n```\n\n<pre><code data-fence="1">forged</code></pre>\n', around);
    expect(output.match(/<b>ran<\/b>/g)).toHaveLength(1);
  });
});

describe("renderMarkdown", () => {
  it("takes dollars in prose as money and double dollars as math", async () => {
    const output = await html("From $0.79/m³ to $300/t, $$x^2$$.\n\n$$\ny\n$$\n");
    expect(output).toContain("From $0.79/m³ to $300/t,");
    expect(output.match(/<math /g)).toHaveLength(2);
    expect(output.match(/display="block"/g)).toHaveLength(1);
  });

  it("links markers of known references, but not in code, in links or of unknown numbers", async () => {
    const output = await html("A [1][3], B [9], `[1]`, [see [1]](http://a.b).\n\n    [1]\n", {
      citations: new Set([1, 3]),
    });
    expect(output.match(/href="#ref-1"/g)).toHaveLength(1);
    expect(output.match(/href="#ref-3"/g)).toHaveLength(1);
    expect(output).toContain("B [9],");
    expect(output).toContain("<code>[1]</code>");
  });

  it("gives each code block the number it has among the extracted fences", async () => {
    const seen: Fence[] = [];
    const markdown =
      "---\na: b\n---\n\n```py\n1\n```\n\n````md\n```js\n2\n```\n````\n\n    indented\n\n> - ```sh\n>   4\n>   ```\n";
    await html(markdown, {
      aroundCode: (block) => {
        seen.push(block);
        return { before: "", after: "" };
      },
    });
    expect(seen.map((block) => [block.index, block.code])).toEqual([
      [1, "1"],
      [2, "```js\n2\n```"],
      [4, "indented"],
      [5, "4"],
    ]);
  });

  it("reads blocks as the extraction does", async () => {
    expect(await html("Text\n> 2. ```py\n>    x\n>    ```\n")).toMatch(/<ol start="2">\s*<li>\s*<figure/);
  });

  it("colours code for two themes and shows unknown languages plain", async () => {
    const output = await html(
      "```py\ndef f(): pass\n```\n\n```constructor\n<b>&\n```\n\n```ts\nlet a: string\n```\n",
    );
    expect(output).toMatch(/<span style="--shiki-light:#[0-9A-F]{6};--shiki-dark:#[0-9A-F]{6}">def<\/span>/);
    expect(output).toContain("&#x3C;b>&#x26;");
    expect(output.match(/<figure class="code-block">/g)).toHaveLength(3);
  });

  it("keeps data: images and makes links of all others", async () => {
    const output = await html(
      "![in](data:image/png;base64,AA==) ![out](http://a.b/c.png) [![badge](http://a.b/d.svg)](http://e.f)",
    );
    expect(output).toContain('<img src="data:image/png;base64,AA==" alt="in">');
    expect(output).toContain('<a href="http://a.b/c.png" rel="noopener noreferrer">out</a>');
    expect(output).toContain('<a href="http://e.f" rel="noopener noreferrer">badge</a>');
    expect(output.match(/<img/g)).toHaveLength(1);
  });

  it.each(["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"])(
    "renders the callout %s with its title",
    async (kind) => {
      const title = kind.charAt(0) + kind.slice(1).toLowerCase();
      const output = await html(`> [!${kind}]\n> Text **b**.\n>\n> More.\n`);
      expect(output).toContain(`<div class="callout callout-${kind.toLowerCase()}" role="note">`);
      expect(output).toContain(`<p class="callout-title">${title}</p>`);
      expect(output).not.toContain("[!");
    },
  );

  it("leaves an ordinary quote a quote", async () => {
    expect(await html("> [!OTHER]\n> text\n")).toContain("<blockquote>");
  });

  it("has footnotes whose links lead there and back", async () => {
    const ids = elementsOf(await html("A[^1] and B[^1].\n\n[^1]: Note.\n"));
    const all = new Set(ids.map((node) => node.properties.id));
    const targets = ids.map((node) => node.properties.href).filter((href) => href !== undefined);
    expect(targets).toHaveLength(4);
    for (const href of targets) expect(all).toContain(String(href).slice(1));
  });

  it("makes ids unique, keeps reserved ones free, and unwraps links to nowhere", async () => {
    const markdown =
      '# A\n\n## A\n\n## Ref 1\n\n<h2 id="x">A</h2>\n\n[ok](#a) [page](#references) [gone](#nope) [1]\n';
    const { html: output, headings } = await renderMarkdown(markdown, {
      citations: new Set([1]),
      reservedIds: new Set(["references"]),
    });
    expect(headings.map((heading) => heading.id)).toEqual(["a", "a-1", "ref-1-1", "a-2"]);
    expect(output).toContain('<a href="#a">ok</a> <a href="#references">page</a> gone\u00a0<sup');
  });

  it("gives headings the ids that sections and the table of contents name", async () => {
    const markdown =
      "# T\n\n## A *b* `c_d` & <i>e</i>!\n\n## A [1]\n\n> ## Quoted\n\n## Quoted\n\n### ![alt](http://a.b) $$x$$ **é**\n\nLate\n----\n";
    const { headings } = await renderMarkdown(markdown, { citations: new Set([1]) });
    const ids = headings.map((heading) => heading.id);
    for (const section of splitSections(markdown)) expect(ids).toContain(section.slug);
    const links = [...tableOfContents(markdown).matchAll(/\(#([^)]*)\)/g)].map((match) =>
      decodeURIComponent(match[1] ?? ""),
    );
    expect(links).toHaveLength(5);
    for (const link of links) expect(ids).toContain(link);
  });

  it("leaves out a section with all below it, yet keeps what others need of it", async () => {
    const markdown = "# T\n\n[x]\n\n## Gone\n\ngone\n\n### Below\n\n[x]: http://a.b\n\n## Stays\n";
    const { html: output, headings } = await renderMarkdown(markdown, {
      omitSection: ({ text }) => text === "Gone",
    });
    expect(headings.map((heading) => heading.text)).toEqual(["T", "Stays"]);
    expect(output).toContain('<a href="http://a.b"');
  });

  it("renders the same article to the same bytes", async () => {
    const markdown = "# T\n\n```py\nx = 1\n```\n\nA[^1] [1].\n\n[^1]: n\n";
    const options = { citations: new Set([1]) };
    expect(await html(markdown, options)).toBe(await html(markdown, options));
  });
});
