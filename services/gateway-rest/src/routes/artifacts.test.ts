import { openRunArtifacts } from "@proofroom/artifacts";
import { artifact, uploadsSchema } from "@proofroom/contracts";
import { openLedger } from "@proofroom/runtime/records";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestGateway, testGateway } from "../testing/test-gateway.ts";

let folder: TempFolder;
let gateway: TestGateway;
let runId: string;
let base: string;

beforeEach(async () => {
  folder = await makeTempFolder();
  gateway = await testGateway(folder.path);
  const created = await gateway.app.inject({
    method: "POST",
    url: "/v1/runs",
    payload: { guideline: "# Queues\n", start: false },
  });
  runId = created.json().run_id;
  base = `/v1/runs/${runId}/artifacts`;
});

afterEach(async () => {
  await gateway.app.close();
  await folder.close();
});

function get(name: string, headers: Record<string, string> = {}) {
  return gateway.app.inject({ url: `${base}/${name}`, headers });
}

function put(name: string, payload: string | Buffer, headers: Record<string, string> = {}) {
  return gateway.app.inject({
    method: "PUT",
    url: `${base}/${name}`,
    payload,
    headers: { "content-type": "text/markdown", ...headers },
  });
}

function write(name: string, text: string) {
  return openRunArtifacts(gateway.store, runId).write(name, Buffer.from(text), { author: "x.g1" });
}

describe("reading", () => {
  it("streams the newest version with its hash as the tag, and not again to who has it", async () => {
    await write("research.md", "old");
    const { sha256 } = await write("research.md", "0123456789");
    const whole = await get("research.md");
    expect(whole.statusCode).toBe(200);
    expect(whole.body).toBe("0123456789");
    expect(whole.headers).toMatchObject({
      etag: `"${sha256}"`,
      "artifact-version": "2",
      "content-type": "text/markdown; charset=utf-8",
      "content-length": "10",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    });
    for (const tag of [`"${sha256}"`, `W/"${sha256}"`, `"a", "${sha256}"`, "*"]) {
      const same = await get("research.md", { "if-none-match": tag });
      expect([same.statusCode, same.body]).toEqual([304, ""]);
    }
    expect((await get("research.md", { "if-none-match": '"other"' })).statusCode).toBe(200);
    const head = await gateway.app.inject({ method: "HEAD", url: `${base}/research.md` });
    expect([head.statusCode, head.body, head.headers["content-length"]]).toEqual([200, "", "10"]);
  });

  it.each([
    ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
    ["bytes=4-", 206, "456789", "bytes 4-9/10"],
    ["bytes=-2", 206, "89", "bytes 8-9/10"],
    ["bytes=-50", 206, "0123456789", "bytes 0-9/10"],
    ["bytes=8-50", 206, "89", "bytes 8-9/10"],
    ["bytes=5-2", 200, "0123456789", undefined],
    ["bytes=0-1,4-5", 200, "0123456789", undefined],
    ["lines=1-2", 200, "0123456789", undefined],
  ])("answers the range %s with %i", async (range, status, body, contentRange) => {
    await write("research.md", "0123456789");
    const answer = await get("research.md", { range });
    expect([answer.statusCode, answer.body, answer.headers["content-range"]]).toEqual([
      status,
      body,
      contentRange,
    ]);
  });

  it.each(["bytes=10-", "bytes=-0", "bytes=99-100"])("refuses the range %s with the size", async (range) => {
    await write("research.md", "0123456789");
    const answer = await get("research.md", { range });
    expect([answer.statusCode, answer.headers["content-range"]]).toEqual([416, "bytes */10"]);
    expect(answer.json().code).toBe("range_not_satisfiable");
  });

  it("sends the whole of another version than the range was meant for", async () => {
    await write("research.md", "0123456789");
    const answer = await get("research.md", { range: "bytes=0-3", "if-range": '"before"' });
    expect([answer.statusCode, answer.body]).toEqual([200, "0123456789"]);
  });

  it("shows the page in a sandbox, and HTML that was uploaded as bytes alone", async () => {
    await write("article.html", "<p>x</p>");
    const page = await get("article.html");
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["content-security-policy"]).toContain("sandbox allow-scripts");
    expect(page.headers["content-security-policy"]).not.toContain("allow-same-origin");
    await gateway.store.create(`runs/${runId}/.nova/uploads/a.html`, "<script>");
    expect((await get(".nova/uploads/a.html")).headers["content-type"]).toBe("application/octet-stream");
    await write(".nova/pages/a.html", "<script>");
    expect((await get(".nova/pages/a.html")).headers["content-type"]).toBe("application/octet-stream");
  });

  it.each([
    ["..%2f..%2frun_x/article.md", 400],
    ["..%2Farticle.md", 400],
    ["%2e%2e%2f%2e%2e", 400],
    ["a%00.md", 400],
    ["a//b", 400],
    ["a%5C..%5Cb", 400],
    ["", 400],
    ["%2Fetc%2Fpasswd", 400],
    [`${"x".repeat(300)}`, 400],
    [`${"a/".repeat(600)}b`, 400],
    ["%ff", 400],
    ["nothing.md", 404],
    [".nova/run.json", 404],
    [".nova%2Frun.json", 404],
    [".nova/run/epochs/000001.json", 404],
    [".nova/ledger/steps/x.g1.json", 404],
    [".NOVA/ledger/x", 404],
    [".nova/history/article_guideline.md/000001.json", 404],
    [".nova/inputs/x.json", 404],
    ["article_guideline.md/x", 404],
    [".nova", 404],
  ])("refuses the name %s with %i", async (name, status) => {
    const answer = await get(name);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers["content-type"]).toContain("application/problem+json");
  });
});

describe("a link", () => {
  function link(payload: object) {
    return gateway.app.inject({ method: "POST", url: `/v1/runs/${runId}/links`, payload });
  }

  it("is the artifact's own address where the store makes none", async () => {
    await write(".nova/sections/a.md", "x");
    await gateway.store.create(`runs/${runId}/.nova/uploads/ü?.md`, "upload");
    for (const [name, version, text] of [
      [".nova/sections/a.md", 1, "x"],
      [".nova/uploads/ü?.md", null, "upload"],
    ] as const) {
      const answer = await link({ artifact: name });
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({
        url: expect.stringMatching(/^\/v1\/runs\//),
        expires_at: null,
        media_type: "text/markdown; charset=utf-8",
        size: text.length,
        version,
      });
      expect((await gateway.app.inject(answer.json().url)).body).toBe(text);
    }
  });

  it.each([
    [{ artifact: "nothing.md" }, 404],
    [{ artifact: ".nova/run.json" }, 404],
    [{ artifact: "../x" }, 400],
    [{ artifact: "article_guideline.md", seconds: 59 }, 400],
    [{ artifact: "article_guideline.md", seconds: 86_401 }, 400],
    [{ artifact: "article_guideline.md", minutes: 1 }, 400],
    [{}, 400],
  ])("is refused for %j with %i", async (body, status) => {
    expect((await link(body)).statusCode).toBe(status);
  });
});

describe("the list", () => {
  it("names artifacts with their versions, and none of the run's own records", async () => {
    await write(".nova/sections/a.md", "x");
    await openLedger(gateway.store, runId).open("start");
    const answer = await gateway.app.inject(base);
    const names = answer.json().artifacts.map(({ name }: { name: string }) => name);
    expect(names).toEqual([".nova/sections/a.md", "article_guideline.md"]);
    expect(answer.json().artifacts[1]).toMatchObject({ version: 1, size: 9, media_type: expect.any(String) });
  });
});

describe("writing", () => {
  it("adds a version by a person, once for one text", async () => {
    const first = await put("article.md", "# A\n");
    expect(first.statusCode).toBe(200);
    expect(first.headers.etag).toBe(`"${first.json().sha256}"`);
    expect((await put("article.md", "# A\n")).json().version).toBe(1);
    expect((await put(".nova/sections/intro.md", "text")).statusCode).toBe(200);
    expect((await openRunArtifacts(gateway.store, runId).version("article.md", 1)).author).toBe("person");
    expect((await get("article.md")).body).toBe("# A\n");
  });

  it("is refused where the version is not the one that was meant", async () => {
    const { etag } = (await put("article.md", "one")).headers;
    expect((await put("article.md", "two", { "if-match": String(etag) })).statusCode).toBe(200);
    const late = await put("article.md", "three", { "if-match": String(etag) });
    expect([late.statusCode, late.json().code]).toEqual([412, "precondition_failed"]);
    expect((await put("article.md", "x", { "if-match": `W/${etag}` })).statusCode).toBe(412);
    expect((await put("article.md", "x", { "if-none-match": "*" })).statusCode).toBe(412);
    expect((await put(".nova/sections/a.md", "x", { "if-match": "*" })).statusCode).toBe(412);
    expect((await put(".nova/sections/a.md", "x", { "if-none-match": "*" })).statusCode).toBe(200);
    expect((await get("article.md")).body).toBe("two");
  });

  it("takes one of many that were made from the same version, or from none, at once", async () => {
    const { etag } = (await put("article.md", "one")).headers;
    const writers = Array.from({ length: 12 }, (_, at) => `text ${at}`);
    const together = async (name: string, headers: Record<string, string>) => {
      const answers = await Promise.all(writers.map((text) => put(name, text, headers)));
      return answers.map(({ statusCode }) => statusCode).toSorted();
    };
    const refused = writers.slice(1).map(() => 412);
    expect(await together("article.md", { "if-match": String(etag) })).toEqual([200, ...refused]);
    expect(await together(".nova/sections/a.md", { "if-none-match": "*" })).toEqual([200, ...refused]);
    // Whichever it is that stands there is what these want.
    expect(await together("article.md", { "if-match": "*" })).toEqual(writers.map(() => 200));
  });

  it("of a section is for those that the outline has", async () => {
    const section = (section_id: string) => ({
      section_id,
      title: "t",
      key_points: [],
      target_word_count: 100,
      include_code: false,
      citations_to_reference: [],
    });
    const about = { title: "t", subtitle: "", target_audience: "", estimated_read_time_minutes: 1 };
    await write(artifact.outline, JSON.stringify({ ...about, sections: [section("intro")] }));
    expect((await put(".nova/sections/intro.md", "text")).statusCode).toBe(200);
    const other = await put(".nova/sections/other.md", "text");
    expect([other.statusCode, other.json().remedy]).toEqual([400, "Its sections are intro."]);
  });

  it.each([
    ["research.md", "x", "text/markdown", 400],
    [".nova/sections/A.md", "x", "text/markdown", 400],
    [".nova/run.json", "x", "text/markdown", 400],
    ["article.md", "  ", "text/markdown", 400],
    ["article.md", Buffer.from([0x61, 0xff]), "text/markdown", 400],
    ["article.md", "{}", "application/json", 415],
    ["article.md", "x".repeat(4 * 1024 * 1024 + 1), "text/markdown", 413],
  ])("refuses %s (case %#)", async (name, text, type, status) => {
    expect((await put(name, text, { "content-type": type })).statusCode).toBe(status);
  });
});

describe("uploads", () => {
  function upload(path: string, payload: Buffer, type = "application/octet-stream") {
    return gateway.app.inject({
      method: "POST",
      url: `/v1/runs/${runId}/uploads?path=${encodeURIComponent(path)}`,
      payload,
      headers: { "content-type": type },
    });
  }

  async function entries() {
    return uploadsSchema.parse((await get(".nova/uploads.json")).json()).entries;
  }

  it("are stored and all listed, however many come at once", async () => {
    const paths = Array.from({ length: 8 }, (_, at) => `docs/${at} ü.md`);
    const answers = await Promise.all(paths.map((path) => upload(path, Buffer.from(path))));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(paths.map(() => 201));
    expect((await entries()).map(({ path }) => path)).toEqual(["docs/", ...paths]);
    expect((await entries())[0]).toEqual({ path: "docs/", kind: "folder", files: paths });
    expect((await gateway.app.inject(String(answers[0]?.headers.location))).body).toBe(paths[0]);
  });

  it("are refused twice, and once the run has been started", async () => {
    await upload("a.md", Buffer.from("a"));
    expect((await upload("a.md", Buffer.from("b"))).statusCode).toBe(409);
    await gateway.app.inject({ method: "POST", url: `/v1/runs/${runId}/resume` });
    const late = await upload("b.md", Buffer.from("b"));
    expect([late.statusCode, late.json().code]).toEqual([409, "conflict"]);
    expect((await entries()).map(({ path }) => path)).toEqual(["a.md"]);
  });

  it.each(["../a.md", "/a.md", "a\\b", "a\0", "", "a/../b"])("refuse the path %j", async (path) => {
    expect((await upload(path, Buffer.from("a"))).statusCode).toBe(400);
  });

  it("refuse what is too large or no stream of bytes, and keep nothing of it", async () => {
    expect((await upload("big.md", Buffer.alloc(32 * 1024 * 1024 + 1))).statusCode).toBe(413);
    expect((await upload("a.md", Buffer.from("{}"), "application/json")).statusCode).toBe(415);
    expect((await get(".nova/uploads/big.md")).statusCode).toBe(404);
  });
});
