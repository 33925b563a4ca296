import type { RequestListener } from "node:http";
import { ingestWebPage, sourceSchema } from "@proofroom/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FakeStepContext } from "../../capabilities/fake-step-context.ts";
import { createIngestWebPage } from "./fetch-page.ts";
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

const routes: Record<string, RequestListener> = {
  "/page": served(html, page),
  "/to-page": served({ location: "/page#part" }, "", 302),
  "/refresh": served(html, '<meta http-equiv="refresh" content="0; url=/page">'),
  "/gbk": served(
    { "content-type": "text/html; charset=gbk" },
    Buffer.concat([Buffer.from(page.split("</main>")[0] ?? ""), Buffer.from("d6d0b9fa", "hex")]),
  ),
  "/notes.md": served({ "content-type": "text/plain" }, `# Notes\n\n${prose}\n`),
  "/data": served({ "content-type": "application/json" }, JSON.stringify({ waits: [1, 2, 4], note: prose })),
  "/picture": served({ "content-type": "image/png" }, Buffer.from("89504e470d0a1a0a00", "hex")),
  "/500": served(html, page, 500),
  "/soft-404": served(html, page.replaceAll("Retries", "Page not found")),
};

let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopback(routes);
});

afterAll(() => server.close());

async function ingest(path: string) {
  const context = new FakeStepContext(ingestWebPage, { stepId: "ingest_web_page-0123456789abcdef" });
  const handler = createIngestWebPage({
    allowHosts: server.allowHosts,
    now: () => new Date("2026-03-01T12:00:00Z"),
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

  test("follows a page that only leads on", async () => {
    expect((await ingest("/refresh")).source.title).toBe("Retries");
  });

  test("decodes the declared charset", async () => {
    expect((await ingest("/gbk")).source.text).toContain("中国");
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
  ])("%s fails with %s, to %s, and stores nothing", async (path, code, kind) => {
    await expect(ingest(path)).rejects.toMatchObject({ code, disposition: { kind } });
  });
});
