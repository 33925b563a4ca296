import { createHash } from "node:crypto";
import { ingestDocument, sourceSchema } from "@proofroom/contracts";
import { afterAll, describe, expect, test } from "vitest";
import { FakeStepContext } from "../../capabilities/fake-step-context.ts";
import { openParsePool, type ParsePool } from "../parsing/parse-pool.ts";
import { makePdf, pdfText } from "./fixtures/make-pdf.ts";
import { docxParagraph, makeDocx } from "./fixtures/make-zip.ts";
import { createIngestDocument } from "./handler.ts";
import { ingestDocumentBytes, maxDocumentBytes } from "./ingest-document-bytes.ts";

const parsing = openParsePool();
afterAll(() => parsing.close());

const signal = () => AbortSignal.timeout(20_000);
const bytes = (text: string) => new TextEncoder().encode(text);
const sentence = "Queues keep the work of many machines in order.";

describe("a file as a source", () => {
  test("has the hash of its bytes, and a title from its text or its name", async () => {
    const original = bytes(`${sentence}\n`);
    const source = await ingestDocumentBytes({
      ref: "notes/a.txt",
      bytes: original,
      signal: signal(),
      parsing,
    });
    expect(source).toMatchObject({
      kind: "document",
      ref: "notes/a.txt",
      title: "a.txt",
      provenance: {
        method: "file",
        bytes: original.length,
        media_type: "text/plain",
        content_sha256: createHash("sha256").update(original).digest("hex"),
        omissions: [],
      },
    });
  });

  test.each([
    ["a.pdf", makePdf([pdfText(sentence)])],
    ["a.docx", makeDocx(docxParagraph(sentence))],
  ])("%s is read from the bytes that a child gets", async (ref, file) => {
    const source = await ingestDocumentBytes({ ref, bytes: Buffer.from(file), signal: signal(), parsing });
    expect(source.spans.map((span) => source.text.slice(span.start, span.end))).toEqual([sentence]);
  });

  test("a saved web page is cleaned, and its relative links stay relative", async () => {
    const paragraph = `<p>${sentence} See <a href="next.html">the next page</a> for more.</p>`;
    const html = `<html lang="en"><head><title>Queues</title></head><body><nav><a href="/">Home of site</a></nav><article><h1>Queues</h1>${paragraph.repeat(8)}</article></body></html>`;
    const source = await ingestDocumentBytes({
      ref: "page.html",
      bytes: bytes(html),
      signal: signal(),
      parsing,
    });
    expect(source).toMatchObject({ title: "Queues", provenance: { media_type: "text/html" } });
    expect(source.text).toContain("[the next page](next.html)");
    expect(source.text).not.toMatch(/Home of site|invalid/);
    expect(source.spans[0]?.locator.headings).toEqual(["Queues"]);
  });

  test("a saved page that has no title is named by its file", async () => {
    const html = `<html><body><p>${sentence.repeat(8)}</p></body></html>`;
    const source = await ingestDocumentBytes({
      ref: "saved/page.html",
      bytes: bytes(html),
      signal: signal(),
      parsing,
    });
    expect(source.title).toBe("page.html");
    expect(source.text).toBe(sentence.repeat(8));
  });

  test("small text and code need no process of their own, in large files they get one", async () => {
    const none: ParsePool = {
      run: () => Promise.reject(new Error("a child was asked for")),
      close: () => Promise.resolve(),
    };
    const read = (ref: string, text: string) =>
      ingestDocumentBytes({ ref, bytes: bytes(text), signal: signal(), parsing: none });
    await expect(read("a.txt", sentence)).resolves.toMatchObject({ text: sentence });
    await expect(read("a.py", `print("${sentence}")\n`)).resolves.toMatchObject({
      provenance: { media_type: "text/x-python" },
    });
    await expect(read("a.md", sentence)).rejects.toThrow("a child was asked for");
    await expect(read("b.txt", `${sentence}\n`.repeat(6_000))).rejects.toThrow("a child was asked for");
  });

  test("one over 32 MB is too_large, and an abort ends with its reason", async () => {
    const large = new Uint8Array(maxDocumentBytes + 1);
    await expect(
      ingestDocumentBytes({ ref: "a.md", bytes: large, signal: signal(), parsing }),
    ).rejects.toMatchObject({
      code: "too_large",
    });
    const abort = new AbortController();
    const running = ingestDocumentBytes({
      ref: "a.md",
      bytes: bytes(sentence),
      signal: abort.signal,
      parsing,
    });
    abort.abort(new Error("stopped"));
    await expect(running).rejects.toThrow("stopped");
  });
});

describe("ingest_document", () => {
  const entries = [
    { path: "./notes/a.md", kind: "file", files: ["notes/a.md"] },
    { path: "code/", kind: "folder", files: ["code/a.py"] },
    { path: "gone.md", kind: "file", files: [], error: { code: "not_found", message: "No such file." } },
    { path: "odd.md", kind: "file", files: [], error: { code: "strange", message: "Odd." } },
  ];

  const context = () =>
    new FakeStepContext(ingestDocument, {
      stepId: "ingest_document-0123456789abcdef",
      stored: {
        ".nova/uploads.json": { v: 1, entries },
        ".nova/uploads/notes/a.md": `# Notes\n\n${sentence}\n`,
      },
    });

  const handle = createIngestDocument({ now: () => new Date("2025-01-02T03:04:05Z"), parsing });

  test("stores the source under the step's id and answers what it is", async () => {
    const step = context();
    const answer = await handle({ path: "./notes/a.md" }, step);
    const artifact = ".nova/sources/ingest_document-0123456789abcdef.json";
    const source = sourceSchema.parse(JSON.parse(step.stored.get(artifact) ?? ""));
    expect(answer).toEqual({
      ref: "./notes/a.md",
      kind: "document",
      title: "Notes",
      artifact,
      sha256: source.sha256,
    });
    expect(source.provenance.retrieved_at).toBe("2025-01-02T03:04:05.000Z");
  });

  test.each([
    ["gone.md", "not_found"],
    ["odd.md", "invalid_input"],
    ["never-named.md", "not_found"],
    ["code/", "invalid_input"],
  ])("%s fails with %s and stores nothing", async (path, code) => {
    const step = context();
    const before = step.stored.size;
    await expect(handle({ path }, step)).rejects.toMatchObject({ code, disposition: { kind: "fail" } });
    expect(step.stored.size).toBe(before);
  });
});
