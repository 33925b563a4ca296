import { describe, expect, test } from "vitest";
import { makePdf, pdfText } from "./fixtures/make-pdf.ts";
import { docxParagraph, makeDocx, makeZip } from "./fixtures/make-zip.ts";
import { type DocumentResult, work } from "./parse-document.ts";

async function parse(path: string, content: string | Uint8Array) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const result: DocumentResult = await work({ path, bytes });
  if ("html" in result) throw new Error("taken for a web page");
  const { document, mediaType } = result;
  const spans = document.spans.map((span) => ({ ...span, text: document.text.slice(span.start, span.end) }));
  return { ...document, mediaType, spans };
}

const sentence = "Queues keep the work of many machines in order.";

describe("text files", () => {
  test("Markdown keeps its text; embedded images are dropped and named", async () => {
    const image = `data:image/png;base64,${"iVBORw0KGgo".repeat(40)}`;
    const source = await parse("a/notes.md", `# Notes\r\n\r\n${sentence}\r\n\r\n![plot](${image})\r\n`);
    expect(source).toMatchObject({
      title: "Notes",
      mediaType: "text/markdown",
      omissions: ["1 embedded image."],
    });
    expect(source.text).not.toContain("iVBOR");
    expect(source.spans[0]).toMatchObject({ text: sentence, locator: { headings: ["Notes"] } });
  });

  test("front matter names the title", async () => {
    await expect(parse("a.md", `---\ntitle: "On queues"\n---\n\n${sentence}\n`)).resolves.toMatchObject({
      title: "On queues",
    });
  });

  test("code is fenced, and its spans name the lines of the file", async () => {
    const code = 'def f():\n    """Use ``` here."""\n    return 1234567890\n';
    const source = await parse("lib/f.py", code);
    expect(source.text).toBe(`\`\`\`\`python\n${code}\`\`\`\`\n`);
    expect(source.spans).toMatchObject([
      { kind: "code", language: "python", text: code.trimEnd(), locator: { line_from: 1, line_to: 3 } },
    ]);
  });

  test.each([
    ["data.csv", "name,count\nalpha,1\nbeta,2\ngamma,3\n", "csv", "text/csv"],
    ["a.yml", "name: something long\nother: value\n", "yaml", "application/yaml"],
    ["Dockerfile", "FROM node:24\nCOPY . /app\n", "dockerfile", "text/x-dockerfile"],
  ])("%s is told by its name", async (path, content, language, mediaType) => {
    await expect(parse(path, content)).resolves.toMatchObject({ mediaType, spans: [{ language }] });
  });

  test("reStructuredText has its titles as headings", async () => {
    const source = await parse("a.rst", `Guide\n=====\n\n${sentence}\n`);
    expect(source).toMatchObject({
      title: "Guide",
      spans: [{ locator: { headings: ["Guide"], line_from: 4 } }],
    });
  });

  test("a saved page is handed on as HTML, also where its name does not say so", async () => {
    const html = "<!doctype html><html><body><p>x</p></body></html>";
    for (const path of ["page.html", "page", "page.txt", "page.md"]) {
      expect(await work({ path, bytes: new TextEncoder().encode(html) })).toEqual({ html });
    }
  });

  test("text over the limit is cut at the end of a span, and the cut is told", async () => {
    const source = await parse("long.txt", `${sentence}\n\n`.repeat(120_000));
    expect(source.text.length).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(source.text.endsWith(sentence)).toBe(true);
    expect(source.omissions).toEqual(["The text after the first 71 % of the file."]);
    expect(source.spans.at(-1)?.end).toBe(source.text.length);
  });
});

describe("encodings", () => {
  const japanese = "キューは多くの機械の仕事を順番に並べます。これは日本語の文章です。";
  test.each([
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${japanese}`), japanese],
    [
      "UTF-8 that is cut within a letter",
      Buffer.from(`${japanese.repeat(5)}。`).subarray(0, -1),
      `${japanese.repeat(5)}\ufffd`,
    ],
    ["UTF-16 LE with a mark", Buffer.from(`\uFEFF${japanese}`, "utf16le"), japanese],
    ["UTF-16 BE with a mark", Buffer.from(`\uFEFF${japanese}`, "utf16le").swap16(), japanese],
    ["UTF-16 LE without a mark", Buffer.from(sentence, "utf16le"), sentence],
    [
      "Shift-JIS",
      Buffer.from(
        "g0yDhYFbgs2RvYKtgsyLQIpCgsyOZI6WgvCPh5TUgsmVwILXgtyCt4FCgrGC6oLNk/qWe4zqgsyVto/NgsWCt4FC",
        "base64",
      ),
      japanese,
    ],
    [
      "Windows-1252",
      Buffer.from("Die Größe der Schlange ändert sich. Fünf Züge fahren täglich über Köln.", "latin1"),
      "Die Größe der Schlange ändert sich. Fünf Züge fahren täglich über Köln.",
    ],
  ])("%s is read as what it is", async (_, bytes, text) => {
    expect((await parse("a.txt", new Uint8Array(bytes))).spans.map((span) => span.text).join("")).toBe(text);
  });
});

describe("an encoding that the text names itself", () => {
  const cyrillic = Buffer.from("cff0e8e2e5f2", "hex");

  test("is used for a saved page that is no UTF-8", async () => {
    const page = Buffer.concat([Buffer.from('<html><meta charset="windows-1251"><p>'), cyrillic]);
    expect(await work({ path: "a.html", bytes: new Uint8Array(page) })).toMatchObject({
      html: expect.stringContaining("Привет"),
    });
  });

  test("is not believed where the text is plainly UTF-8", async () => {
    const source = await parse("a.md", `Write \`<meta charset="windows-1251">\` для страниц.\n`);
    expect(source.text).toContain("для страниц");
  });
});

describe("notebooks", () => {
  const cell = (cell_type: string, source: string | string[], outputs?: unknown[]) => ({
    cell_type,
    source,
    outputs,
  });
  const notebook = (cells: unknown[], more = {}) =>
    JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells, ...more });

  test("cells, outputs and errors in order, each with its cell and headings; no colours, no overwritten progress", async () => {
    const source = await parse(
      "a.ipynb",
      notebook([
        cell("markdown", ["# Study\n", "\n", "Words first."]),
        cell("code", "print('a')", [
          { output_type: "stream", name: "stdout", text: ["10%\r", "100%\n", "\u001b[31mred\u001b[0m\n"] },
        ]),
        cell("markdown", "## Next"),
        cell("raw", "Raw words."),
        cell("code", "%%bash\nls", [
          { output_type: "error", ename: "KeyError", evalue: "'x'", traceback: [] },
        ]),
      ]),
    );
    expect(source.title).toBe("Study");
    expect(source.spans.map(({ kind, language, text, locator }) => [kind, language, text, locator])).toEqual([
      ["prose", undefined, "Words first.", { headings: ["Study"], cell: 1 }],
      ["code", "python", "print('a')", { headings: ["Study"], cell: 2 }],
      ["output", undefined, "100%\nred", { headings: ["Study"], cell: 2 }],
      ["prose", undefined, "Raw words.", { headings: ["Study", "Next"], cell: 4 }],
      ["code", "bash", "%%bash\nls", { headings: ["Study", "Next"], cell: 5 }],
      ["output", undefined, "KeyError: 'x'", { headings: ["Study", "Next"], cell: 5 }],
    ]);
  });

  test("images are dropped and named with their cells, long outputs are clipped and named", async () => {
    const source = await parse(
      "a.ipynb",
      notebook(
        [
          cell("markdown", "See ![chart](attachment:chart.png) for more of it."),
          cell("code", "plot()", [
            {
              output_type: "display_data",
              data: { "image/png": "iVBOR", "text/plain": "<Figure size 1x1>" },
            },
            { output_type: "stream", text: "line of output\n".repeat(1_000) },
            { output_type: "display_data", data: { "text/html": "<b>x</b>" } },
          ]),
        ],
        { metadata: { kernelspec: { language: "julia" } } },
      ),
    );
    expect(source.omissions).toEqual([
      "2 images (cells 1, 2).",
      "What follows the first 3000 characters of long outputs (cell 2).",
      "Outputs that have no form as text (cell 2).",
    ]);
    expect(source.text).not.toContain("iVBOR");
    expect(source.text.length).toBeLessThan(3_300);
    expect(source.spans.find((span) => span.kind === "code")?.language).toBe("julia");
  });

  test("format 3 is read, also under another name", async () => {
    const old = JSON.stringify({
      nbformat: 3,
      cells: undefined,
      worksheets: [
        {
          cells: [
            { cell_type: "heading", level: 1, source: "Old days" },
            { cell_type: "code", input: "print(1)", outputs: [{ output_type: "pyout", text: "1" }] },
          ],
        },
      ],
    });
    const source = await parse("a.json.txt", old);
    expect(source.spans.map((span) => [span.kind, span.text, span.locator.headings])).toEqual([
      ["code", "print(1)", ["Old days"]],
      ["output", "1", ["Old days"]],
    ]);
  });

  test("broken JSON is a failure", async () => {
    await expect(parse("a.ipynb", '{"cells": [')).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("PDF", () => {
  test("paragraphs with their page; broken words are mended, pages without text named", async () => {
    const pdf = makePdf(
      [
        pdfText("The first para-", "graph of a page", "has three lines.", "", "The next one."),
        "",
        pdfText("On page three."),
      ],
      { title: "A study of queues" },
    );
    const source = await parse("paper", pdf);
    expect(source).toMatchObject({ title: "A study of queues", mediaType: "application/pdf" });
    expect(source.spans.map(({ text, locator }) => [text, locator])).toEqual([
      ["The first paragraph of a page has three lines.", { page: 1 }],
      ["The next one.", { page: 1 }],
      ["On page three.", { page: 3 }],
    ]);
    expect(source.omissions).toEqual(["1 page without a text layer (2)."]);
  });

  test("without a title in its properties the largest letters of the first page are the title", async () => {
    const title = "BT /F1 24 Tf 72 760 Td (Queues at scale) Tj ET";
    const source = await parse(
      "a.pdf",
      makePdf([`${pdfText("Some words before.")} ${title}`, pdfText(sentence)]),
    );
    expect(source.title).toBe("Queues at scale");
  });

  test.each([
    ["encrypted", makePdf([pdfText(sentence)], { encrypt: true }), /encrypted/],
    ["scanned", makePdf(["", ""]), /no text layer/],
    ["broken", new TextEncoder().encode("%PDF-1.7 and nothing more"), /broken PDF/],
    [
      "with glyphs that mean nothing",
      makePdf([`BT /F1 12 Tf 72 720 Td <${"0001000200030004".repeat(20)}> Tj ET`], {
        font: "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /X /Flags 4 >> >>] >>",
      }),
      /text layer is broken/,
    ],
  ])("one that is %s is a failure", async (_, bytes, message) => {
    await expect(parse("a.pdf", bytes)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(message),
    });
  });
});

describe("Word documents", () => {
  test("headings, paragraphs and tables come out as Markdown", async () => {
    const row = `<w:tr><w:tc>${docxParagraph("a")}</w:tc><w:tc>${docxParagraph("b")}</w:tc></w:tr>`;
    const docx = makeDocx(
      `${docxParagraph("Report", "Heading1")}${docxParagraph(sentence)}<w:tbl>${row}${row}</w:tbl>`,
    );
    const source = await parse("a.docx", docx);
    expect(source.title).toBe("Report");
    expect(source.spans).toMatchObject([
      { kind: "prose", text: sentence, locator: { headings: ["Report"] } },
      { kind: "table", locator: { headings: ["Report"] } },
    ]);
  });

  const zeros = new Uint8Array(120 * 1024 * 1024);
  test.each([
    ["inflates to 120 MB", makeDocx("", [{ name: "word/media/a.bin", content: zeros }])],
    [
      "declares one byte and inflates to 120 MB",
      makeDocx("", [{ name: "word/media/a.bin", content: zeros, declaredSize: 1 }]),
    ],
    [
      "has 3,000 entries",
      makeDocx(
        "",
        Array.from({ length: 3_000 }, (_, at) => ({ name: `${at}`, content: "" })),
      ),
    ],
  ])("one that %s is too_large", async (_, bytes) => {
    expect(bytes.length).toBeLessThan(1024 * 1024);
    await expect(parse("a.docx", bytes)).rejects.toMatchObject({ code: "too_large" });
  });

  test("one whose text lies in a numbered part is read (word/document2.xml)", async () => {
    const bytes = makeDocx(docxParagraph(sentence), [], "word/document2.xml");
    expect((await parse("a.docx", bytes)).text).toContain(sentence);
  });

  test("another archive is a failure, whatever its name", async () => {
    const zip = makeZip([{ name: "a.txt", content: sentence }]);
    for (const path of ["a.docx", "a.zip", "a"]) {
      await expect(parse(path, zip)).rejects.toMatchObject({ code: "invalid_input" });
    }
  });
});

test("a megabyte of lines that overwrite nothing is no work of minutes", async () => {
  const outputs = [{ output_type: "stream", text: `${"\r".repeat(1_000_000)}${sentence}` }];
  const cells = [{ cell_type: "code", source: "x = 1", outputs }];
  expect((await parse("a.ipynb", JSON.stringify({ nbformat: 4, cells }))).text).toContain(sentence);
});

describe("what is no evidence", () => {
  test.each([
    ["empty", "a.md", ""],
    ["blank", "a.md", " \n\n"],
    ["nearly empty", "a.txt", "ok.\n"],
    ["binary", "a.md", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 1, 2, 3, 0xff])],
    ["text with the name of a PDF", "a.pdf", sentence],
    ["an old Word document", "a.doc", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])],
  ])("%s is invalid_input", async (_, path, content) => {
    await expect(parse(path, content)).rejects.toMatchObject({ code: "invalid_input" });
  });

  test.each([
    ["a.xlsx", makeZip([{ name: "xl/workbook.xml", content: "<x/>" }]), "an Excel workbook", "CSV"],
    ["a.docx", makeZip([{ name: "ppt/presentation.xml", content: "<x/>" }]), "a PowerPoint", "PDF"],
    ["a", "{\\rtf1\\ansi A text.}", "an RTF text", ".docx"],
  ])("an office format that is not read is called by its name (%s)", async (path, content, what, remedy) => {
    await expect(parse(path, content)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(what),
      remedy: expect.stringContaining(remedy),
    });
  });
});
