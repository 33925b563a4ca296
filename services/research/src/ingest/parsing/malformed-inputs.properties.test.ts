import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePdf, pdfText } from "../document/fixtures/make-pdf.ts";
import { docxParagraph, makeDocx } from "../document/fixtures/make-zip.ts";
import { work as readDocument } from "../document/parse-document.ts";
import { work as digestFolder } from "../repository/digest.ts";
import { work as readFacts } from "../repository/file-facts.ts";
import { work as findLinks } from "../site/page-links.ts";
import { work as readPage } from "../web/readable-page.ts";
import { outcomeOf } from "./work-outcome.ts";

const sentence = "Queues keep the work of many machines in order, and each of them waits its turn.";
const page = `<!doctype html><html><head><title>Queues</title><base href="https://x.dev/"><meta name="author" content="Ada Byron"><link rel="canonical" href="/q"><script type="application/ld+json">{"@type":"Article","author":{"name":"Ada"}}</script></head><body><main><h1>Queues</h1><p>${sentence.repeat(5)}</p><table><caption>Waits</caption><tr><th colspan="2">a</th></tr><tr><td><ul><li>x</li></ul></td><td>y</td></tr></table><div class="language-python"><pre><code>x = 1<br>y</code></pre></div><math alttext="{\\displaystyle x}"></math><a href="/a#b">more</a><img src="a.png" alt="a"></main></body></html>`;
const markdown = `---\ntitle: Queues\n---\n\n# Queues\n\n${sentence}\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n\`\`\`python\nx = 1\n\`\`\`\n\n- [x] ![a](data:image/png;base64,${"A".repeat(80)}) [b][c]\n\n[c]: https://x.dev\n`;
const notebook = JSON.stringify({
  nbformat: 4,
  metadata: { title: "Queues", language_info: { name: "python" } },
  cells: [
    { cell_type: "markdown", source: ["# Queues\n", sentence] },
    {
      cell_type: "code",
      source: "%%bash\nls",
      outputs: [
        { output_type: "stream", text: ["a\rb\n"] },
        { output_type: "error", ename: "E", traceback: ["\u001b[31mx"] },
      ],
    },
    { cell_type: "heading", level: 2, source: "More" },
  ],
});
const citation = "cff-version: 1.2.0\ntitle: Queues\nauthors:\n  - family-names: Byron\nlicense: MIT\n";

/** What breaks the rules of one format or another. */
const hostile = [
  ...["<", ">", "</", "<!--", "-->", "<![CDATA[", "<?", "&", "&#x110000;", "&#0;", "<svg>", "<template>"],
  ...[
    "<table>",
    "<td>",
    "<frameset>",
    "<head>",
    "</body>",
    "<html>",
    "<base href='http://['>",
    "<a href='http://['>",
  ],
  ...[
    "\u0000",
    "\ufffe",
    "\ud800",
    "\u2028",
    "\r",
    "\t",
    "```",
    "~~~",
    "$$",
    "[[[[",
    "![",
    "](",
    "***",
    "> > > ",
  ],
  ...[
    '{"',
    "}",
    "[",
    "null",
    "1e999",
    "-1",
    "__proto__",
    "constructor",
    "%PDF-1.7",
    "endobj",
    "stream",
    "xref",
  ],
  ...[
    "/Kids [2 0 R]",
    "<w:p>",
    "</w:t>",
    'colspan="-1"',
    'colspan="1e9"',
    "--- !!js/function",
    "*a",
    "&a",
    "<<: *a",
  ],
];

type Edit = { at: number; drop: number; put: string; times: number };
const edits = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    drop: fc.nat({ max: 60 }),
    put: fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: "binary", maxLength: 6 })),
    times: fc.constantFrom(1, 1, 1, 3, 300),
  }),
  { minLength: 1, maxLength: 5 },
);

/** Bytes of which some are cut out, and others put there. */
function spoilt(sample: Uint8Array, changes: readonly Edit[]): Uint8Array {
  let bytes = Buffer.from(sample);
  for (const { at, drop, put, times } of changes) {
    const start = Math.floor(at * bytes.length);
    bytes = Buffer.concat([
      bytes.subarray(0, start),
      Buffer.from(put.repeat(times)),
      bytes.subarray(start + drop),
    ]);
  }
  return new Uint8Array(bytes);
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

let folder: TempFolder;
let folders = 0;

beforeAll(async () => {
  folder = await makeTempFolder();
});
afterAll(() => folder.close());

async function inFolder<T>(
  files: Readonly<Record<string, Uint8Array>>,
  use: (root: string) => T,
): Promise<T> {
  folders += 1;
  const root = join(folder.path, String(folders));
  await mkdir(root);
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(root, name), bytes);
  return use(root);
}

/** Ends with a value or with an error of ours, which is never `internal`. */
async function expectTyped(work: () => unknown): Promise<void> {
  const outcome = await outcomeOf(work);
  expect(outcome).not.toHaveProperty("crash");
  expect(outcome).not.toHaveProperty("fault");
  if ("error" in outcome) expect(outcome.error.code).not.toBe("internal");
}

const document = (path: string) => (bytes: Uint8Array) => readDocument({ path, bytes });
const digest = (name: string) => (bytes: Uint8Array) =>
  inFolder({ [name]: bytes, "README.md": Buffer.from(markdown) }, (root) =>
    digestFolder({ root, path: "", title: "x/y" }),
  );

interface Parser {
  sample: string | Uint8Array;
  read: (bytes: Uint8Array) => unknown;
  runs: number;
}

const parsers: [name: string, parser: Parser][] = [
  [
    "a page",
    { sample: page, read: (bytes) => readPage({ html: text(bytes), url: "https://x.dev/q" }), runs: 150 },
  ],
  ["a saved page", { sample: page, read: (bytes) => readPage({ html: text(bytes), url: null }), runs: 50 }],
  [
    "the links of a page",
    { sample: page, read: (bytes) => findLinks({ html: text(bytes), url: "https://x.dev/q" }), runs: 100 },
  ],
  [
    "a PDF",
    {
      sample: makePdf([pdfText(sentence), pdfText("x")], { title: "Queues" }),
      read: document("a.pdf"),
      runs: 60,
    },
  ],
  ["a Word document", { sample: makeDocx(docxParagraph(sentence)), read: document("a.docx"), runs: 100 }],
  [
    "the text of a Word document",
    {
      sample: docxParagraph(sentence),
      read: (bytes) => document("a.docx")(makeDocx(text(bytes))),
      runs: 100,
    },
  ],
  ["a notebook", { sample: notebook, read: document("a.ipynb"), runs: 200 }],
  ["Markdown", { sample: markdown, read: document("a.md"), runs: 150 }],
  ["reStructuredText", { sample: `Queues\n======\n\n${sentence}\n`, read: document("a.rst"), runs: 100 }],
  ["text", { sample: sentence, read: document("a"), runs: 100 }],
  ["code", { sample: "def f():\n    return 1234567890\n", read: document("a.py"), runs: 100 }],
  ["a repository with a notebook", { sample: notebook, read: digest("a.ipynb"), runs: 15 }],
  ["a repository with Markdown", { sample: markdown, read: digest("a.md"), runs: 15 }],
  ["a repository with a citation file", { sample: citation, read: digest("CITATION.cff"), runs: 15 }],
  [
    "a file of a repository",
    {
      sample: citation,
      read: (bytes) =>
        inFolder({ "CITATION.cff": bytes, LICENSE: bytes, AUTHORS: bytes }, (root) =>
          readFacts({ root, path: "CITATION.cff", content: text(bytes) }),
        ),
      runs: 15,
    },
  ],
];

describe("whatever an input holds, it is read or refused with a reason", () => {
  test.each(parsers)("%s", { timeout: 60_000 }, async (_name, { sample, read, runs }) => {
    const whole = typeof sample === "string" ? new TextEncoder().encode(sample) : sample;
    const sound = await outcomeOf(() => read(whole));
    expect(sound).toHaveProperty("value");
    await fc.assert(
      fc.asyncProperty(edits, (changes) => expectTyped(() => read(spoilt(whole, changes)))),
      { numRuns: runs },
    );
  });

  const deep = (opening: string, closing = "") =>
    `${opening.repeat(20_000)}${sentence}${closing.repeat(20_000)}`;

  test.each<[name: string, read: () => unknown]>([
    ["two megabytes of <", () => readPage({ html: "<".repeat(2_000_000), url: "https://x.dev/" })],
    ["half a million paragraphs", () => readPage({ html: "<p>".repeat(600_000), url: "https://x.dev/" })],
    ["links in half a million tags", () => findLinks({ html: "<a>".repeat(600_000), url: "https://x.dev/" })],
    ["deep elements", () => readPage({ html: deep("<b>", "</b>"), url: null })],
    ["deep lists of Markdown", () => document("a.md")(Buffer.from(deep("- ").slice(0, 2_000)))],
    ["deep JSON", () => document("a.ipynb")(Buffer.from(deep("[", "]")))],
    ["deep WordprocessingML", () => document("a.docx")(makeDocx(deep("<w:p>", "</w:p>")))],
    [
      "deep dictionaries of a PDF",
      () => document("a.pdf")(makePdf([pdfText(sentence)], { font: deep("<<", ">>") })),
    ],
    [
      "a page of a PDF in its own pages",
      () =>
        document("a.pdf")(
          Buffer.from(
            `%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[2 0 R]/Count 9>> endobj\ntrailer <</Root 1 0 R>>`,
          ),
        ),
    ],
    ["deep YAML", () => digest("CITATION.cff")(Buffer.from(`${"[".repeat(20_000)}`))],
  ])("%s", { timeout: 60_000 }, (_name, read) => expectTyped(read));
});
