import type { RequestListener } from "node:http";
import { ingestWebPage, sourceSchema } from "@proofroom/contracts";
import { uncountedCalls, withoutModels } from "@proofroom/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FakeStepContext } from "../../capabilities/fake-step-context.ts";
import { waitByClock } from "../../search/wait.ts";
import { makePdf, pdfText } from "../document/fixtures/make-pdf.ts";
import { docxParagraph, makeDocx, makeZip } from "../document/fixtures/make-zip.ts";
import { withoutPageCache } from "../page-cache/page-cache.ts";
import { openParsePool } from "../parsing/parse-pool.ts";
import { createIngestWebPage } from "./handler.ts";
import { createHostTurns } from "./host-turns.ts";
import { type LoopbackServer, startLoopback } from "./loopback-server.ts";

const prose =
  "A client that repeats a failed request at once makes an outage worse, so it waits, and it waits longer each time. ".repeat(
    4,
  );
const page = `<!doctype html><html><head><title>Retries</title></head><body><main><h1>Retries</h1><p>${prose}</p></main></body></html>`;
const html = { "content-type": "text/html; charset=utf-8" };

const served =
  (headers: Record<string, string>, body: string | Buffer, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);

const sentence = "Queues keep the work of many machines in order.";
const docx = Buffer.from(makeDocx(docxParagraph("Queues", "Heading1") + docxParagraph(sentence)));
const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const workbook = Buffer.from(makeZip([{ name: "xl/workbook.xml", content: "<workbook/>" }]));
const slides = Buffer.from(makeZip([{ name: "ppt/presentation.xml", content: "<p/>" }]));
const oldWord = Buffer.concat([
  Buffer.from("d0cf11e0a1b11ae1", "hex"),
  Buffer.from("WordDocument", "utf16le"),
]);
/** 重试之前要等待。 */
const gbk = "d6d8cad4d6aec7b0d2aab5c8b4fda1a3";
/** 毎回より長く待つ。 */
const shiftJis = "9688 89f1 82e6 82e8 92b7 82ad 91d2 82c2 8142".replaceAll(" ", "");

/** A page that says the words, given in hexadecimal, over and over. */
function pageOf(charset: string, words: string): Buffer {
  const [before = "", after = ""] = page.split(prose);
  const declared = charset === "" ? before : before.replace("<head>", `<head><meta charset="${charset}">`);
  return Buffer.concat([Buffer.from(declared), Buffer.from(words.repeat(40), "hex"), Buffer.from(after)]);
}

const paperHead =
  '<meta name="citation_author" content="Byron, Ada"><meta name="citation_doi" content="10.1000/ABC"><link rel="license" href="https://creativecommons.org/licenses/by/4.0/"><link rel="canonical" href="/page">';

const busy = new Set<object>();

const routes: Record<string, RequestListener> = {
  "/page": served(html, page),
  "/article": served(html, page.replace("<head>", `<head>${paperHead}`)),
  "/to-page": served({ location: "/page#part" }, "", 302),
  "/refresh": served(html, '<meta http-equiv="refresh" content="0; url=/page">'),
  "/paper": served({ "content-type": "application/pdf" }, Buffer.from(makePdf([pdfText(sentence)]))),
  "/docx/by-type": served({ "content-type": docxType }, docx),
  "/docx/by-bytes": served({ "content-type": "application/octet-stream" }, docx),
  "/docx/as-archive.zip": served({ "content-type": "application/zip" }, docx),
  "/docx/without-type": served({}, docx),
  "/docx/as-old-word.doc": served({ "content-type": "application/msword" }, docx),
  "/docx/by-name": served(
    {
      "content-type": "application/octet-stream",
      "content-disposition": "attachment; filename=\"plan.docx\"; filename*=UTF-8''The%20pl%C3%A4n.docx",
    },
    Buffer.from(makeDocx(docxParagraph(sentence))),
  ),
  "/download": served(
    { "content-type": "application/octet-stream", "content-disposition": 'attachment; filename="notes.md"' },
    `# Notes\n\n${prose}\n`,
  ),
  "/workbook": served({ "content-type": "application/octet-stream" }, workbook),
  "/slides": served(
    { "content-type": "application/vnd.openxmlformats-officedocument.presentationml.presentation" },
    slides,
  ),
  "/old-word": served({ "content-type": "application/msword" }, oldWord),
  "/rich-text": served({ "content-type": "text/rtf" }, `{\\rtf1\\ansi ${prose}}`),
  "/gbk": served({ "content-type": "text/html" }, pageOf("gb2312", gbk)),
  "/shift-jis": served({ "content-type": "text/html; charset=Shift_JIS" }, pageOf("", shiftJis)),
  "/challenge": served(html, "<title>Just a moment...</title><p>Verifying you are human.</p>"),
  "/to-private": served({ location: "http://127.0.0.1:8099/inner" }, "", 302),
  "/to-metadata": served({ location: "http://169.254.169.254/latest/" }, "", 307),
  "/busy-once": (request, response) => {
    const isFirst = busy.size === 0;
    busy.add(request);
    if (isFirst) response.writeHead(429, { "retry-after": "2" }).end();
    else response.writeHead(200, html).end(page);
  },
  "/slow": (_request, response) => {
    response.writeHead(200, html).write("<html>");
  },
  "/in-pieces": (_request, response) => {
    response.writeHead(200, html);
    for (const piece of page.match(/[\s\S]{1,40}/g) ?? []) response.write(piece);
    response.end();
  },
  "/notes.md": served({ "content-type": "text/plain" }, `# Notes\n\n${prose}\n`),
  "/data": served({ "content-type": "application/json" }, JSON.stringify({ waits: [1, 2, 4], note: prose })),
  "/picture": served({ "content-type": "image/png" }, Buffer.from("89504e470d0a1a0a00", "hex")),
  "/500": served(html, page, 500),
  "/soft-404": served(html, page.replaceAll("Retries", "Page not found")),
};

let server: LoopbackServer;
const parsing = openParsePool();
const now = () => new Date("2026-03-01T12:00:00Z");

beforeAll(async () => {
  server = await startLoopback(routes);
});

afterAll(() => Promise.all([server.close(), parsing.close()]));

async function ingest(path: string, more: { timeoutMs?: number } = {}) {
  const context = new FakeStepContext(ingestWebPage, { stepId: "ingest_web_page-0123456789abcdef" });
  const handler = createIngestWebPage({
    allowHosts: server.allowHosts,
    parsing,
    models: withoutModels,
    calls: uncountedCalls,
    pageCache: withoutPageCache,
    now,
    hosts: createHostTurns({ now, wait: waitByClock }),
    ...more,
  });
  const output = await handler({ url: `${server.base}${path}` }, context).catch((error: unknown) => {
    expect(context.stored.size, "a failure stores nothing").toBe(0);
    throw error;
  });
  return { output, source: sourceSchema.parse(JSON.parse(context.stored.get(output.artifact) ?? "")) };
}

describe("ingest_web_page", () => {
  test("stores a page as a source with its provenance, under the address it was asked for", async () => {
    const { output, source } = await ingest("/to-page");
    const ref = `${server.base}/to-page`;
    expect(output).toEqual({
      ref,
      kind: "web_page",
      title: "Retries",
      artifact: ".nova/sources/ingest_web_page-0123456789abcdef.json",
      sha256: source.sha256,
    });
    expect(source).toMatchObject({
      kind: "web_page",
      ref,
      title: "Retries",
      text: `# Retries\n\n${prose.trim()}`,
      provenance: {
        method: "http",
        bytes: Buffer.byteLength(page),
        media_type: "text/html",
        retrieved_at: "2026-03-01T12:00:00.000Z",
        final_url: `${server.base}/page`,
        omissions: [],
      },
    });
  });

  test("keeps what a page says of its authors, its licence and the work that it is", async () => {
    expect((await ingest("/article")).source.provenance).toMatchObject({
      author: "Ada Byron",
      licence: "CC-BY-4.0",
      licence_url: "https://creativecommons.org/licenses/by/4.0/",
      identifiers: { doi: "10.1000/abc" },
      canonical_url: `${server.base}/page`,
    });
  });

  test("follows a page that only leads on", async () => {
    expect((await ingest("/refresh")).source.title).toBe("Retries");
  });

  test.each([
    ["/gbk", "重试之前要等待。"],
    ["/shift-jis", "毎回より長く待つ。"],
  ])("%s is decoded as it declares", async (path, words) => {
    expect((await ingest(path)).source.text).toContain(words.repeat(40));
  });

  test("knows a PDF by its type where the address does not say so", async () => {
    const { source } = await ingest("/paper");
    expect(source).toMatchObject({ kind: "web_page", ref: `${server.base}/paper` });
    expect(source.provenance).toMatchObject({ method: "http", media_type: "application/pdf" });
    expect(source.spans[0]?.locator).toEqual({ page: 1 });
    expect(source.text).toContain(sentence);
  });

  test.each(["by-type", "by-bytes", "as-archive.zip", "without-type", "as-old-word.doc"])(
    "reads a Word document, served %s",
    async (name) => {
      const { source } = await ingest(`/docx/${name}`);
      expect(source).toMatchObject({ kind: "web_page", title: "Queues" });
      expect(source.provenance).toMatchObject({ method: "http", media_type: docxType });
      expect(source.text).toContain(sentence);
    },
  );

  test("a document without a title has the name that its server gives it", async () => {
    expect((await ingest("/docx/by-name")).source.title).toBe("The plän.docx");
  });

  test("the name that a server gives a file tells what it is", async () => {
    const { source } = await ingest("/download");
    expect(source.title).toBe("Notes");
    expect(source.provenance.media_type).toBe("text/markdown");
  });

  test.each([
    ["/workbook", "an Excel workbook", "CSV"],
    ["/slides", "a PowerPoint presentation", "PDF"],
    ["/old-word", "an old Word document", ".docx"],
    ["/rich-text", "an RTF text", ".docx"],
  ])("%s is refused as %s, with what to do", async (path, what, remedy) => {
    await expect(ingest(path)).rejects.toMatchObject({
      code: "invalid_input",
      disposition: { kind: "fail" },
      message: expect.stringContaining(what),
      remedy: expect.stringContaining(remedy),
    });
  });

  test("a busy server is asked again when it says, and then read", async () => {
    await expect(ingest("/busy-once")).rejects.toMatchObject({
      code: "unreachable",
      disposition: { kind: "retry_after", delayMs: 2_000 },
    });
    expect((await ingest("/busy-once")).source.title).toBe("Retries");
  });

  test("a body that never ends is timed out, one that comes in pieces is read", async () => {
    await expect(ingest("/slow", { timeoutMs: 200 })).rejects.toMatchObject({
      code: "timeout",
      disposition: { kind: "retry" },
    });
    expect((await ingest("/in-pieces")).source.title).toBe("Retries");
  });

  test("reads Markdown as such", async () => {
    const { source } = await ingest("/notes.md");
    expect(source).toMatchObject({ kind: "web_page", ref: `${server.base}/notes.md`, title: "Notes" });
    expect(source.provenance).toMatchObject({ method: "http", media_type: "text/markdown" });
    expect(source.text).toContain(prose.trim());
  });

  test("reads data whose address says nothing of its type", async () => {
    const { source } = await ingest("/data");
    expect(source.text).toContain('"waits"');
    expect(source.provenance.media_type).toBe("application/json");
  });

  test.each([
    ["/500", "unreachable", "retry"],
    ["/picture", "invalid_input", "fail"],
    ["/soft-404", "not_found", "fail"],
    ["/none", "not_found", "fail"],
    ["/challenge", "unreachable", "fail"],
    ["/to-private", "private_address", "fail"],
    ["/to-metadata", "private_address", "fail"],
  ])("%s fails with %s, to %s, and stores nothing", async (path, code, kind) => {
    await expect(ingest(path)).rejects.toMatchObject({ code, disposition: { kind } });
  });
});
