import type { RequestListener } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fetched, fetchBytes } from "./fetch-bytes.ts";
import { createHostTurns } from "./host-turns.ts";
import { type LoopbackServer, startLoopback } from "./loopback-server.ts";
import { createPublicDispatcher } from "./public-host.ts";

const plain = { "content-type": "text/plain; charset=utf-8" };
const text = "the page";
const redirect =
  (location: string, status = 302): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { location }).end("moved");
const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(code, { ...plain, ...headers }).end("an error, which is no evidence");
const compressed =
  (encoding: string, body: Buffer): RequestListener =>
  (_request, response) =>
    response.writeHead(200, { ...plain, "content-encoding": encoding }).end(body);

let agent: string | undefined;

const routes: Record<string, RequestListener> = {
  "/page": (request, response) => {
    agent = request.headers["user-agent"];
    response.writeHead(200, plain).end(text);
  },
  "/to-page": redirect("/page#part"),
  "/permanent": redirect("/to-page", 308),
  "/loop": redirect("/loop", 301),
  "/to-private": redirect("http://10.0.0.1/secret"),
  "/to-other-port": redirect("http://127.0.0.1:8/"),
  "/to-file": redirect("file:///etc/passwd"),
  "/to-user": redirect("http://user:secret@127.0.0.1/"),
  "/to-unicode": redirect(Buffer.from("/seite-ü").toString("latin1")),
  "/%E5%8C%97%E4%BA%AC": (_request, response) => response.writeHead(200, plain).end(text),
  "/seite-%C3%BC": (_request, response) => response.writeHead(200, plain).end(text),
  "/cookie-wall": (request, response) => {
    if (request.headers.cookie === "seen=1") response.writeHead(200, plain).end(text);
    else response.writeHead(302, { location: "/cookie-wall", "set-cookie": "seen=1; Path=/" }).end();
  },
  "/gzip": compressed("gzip", gzipSync(text)),
  "/brotli": compressed("br", brotliCompressSync(text)),
  "/bomb": compressed("gzip", gzipSync(Buffer.alloc(64 * 1024 * 1024))),
  "/not-gzip": compressed("gzip", Buffer.from("this is not gzip")),
  "/long": (_request, response) => {
    response.writeHead(200, plain);
    const more = () => {
      while (response.write(Buffer.alloc(256 * 1024, "a"))) if (response.destroyed) return;
      response.once("drain", more);
    };
    more();
  },
  "/announced": (_request, response) =>
    response.writeHead(200, { ...plain, "content-length": String(17 * 1024 * 1024) }).flushHeaders(),
  "/broken": (_request, response) => {
    response.writeHead(200, { ...plain, "content-length": "5000" }).write(text);
    response.destroy();
  },
  "/silent": () => undefined,
  "/403": status(403),
  "/500": status(500),
  "/challenge": status(503, { "cf-mitigated": "challenge" }),
  "/429": status(429, { "retry-after": "7" }),
  "/429-long": status(429, { "retry-after": "86400" }),
  "/503-date": status(503, { "retry-after": "Sun, 01 Mar 2026 12:00:30 GMT" }),
};

let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopback(routes);
});

afterAll(() => server.close());

async function fetched(
  address: string,
  { allowHosts = server.allowHosts, timeoutMs = 4_000, signal = new AbortController().signal } = {},
): Promise<Fetched> {
  const dispatcher = await createPublicDispatcher({ allowHosts });
  const now = () => new Date("2026-03-01T12:00:00Z");
  try {
    const hosts = createHostTurns({ now, wait: async () => {} });
    return await fetchBytes(new URL(address, server.base).href, {
      dispatcher,
      hosts,
      now,
      timeoutMs,
      signal,
    });
  } finally {
    await dispatcher.destroy();
  }
}

describe("fetchBytes", () => {
  test.each([
    "/page",
    "/to-page",
    "/permanent",
    "/to-unicode",
    "/seite-ü",
    "/%E5%8C%97%E4%BA%AC",
    "/cookie-wall",
    "/gzip",
    "/brotli",
  ])("reads %s", async (path) => {
    expect(new TextDecoder().decode((await fetched(path)).bytes)).toBe(text);
  });

  test("says where it ended, and who asks", async () => {
    await expect(fetched("/permanent")).resolves.toMatchObject({
      finalUrl: `${server.base}/page`,
      contentType: plain["content-type"],
    });
    expect(agent).toContain("Proofroom");
  });

  test.each([
    ["/404", "not_found", "fail"],
    ["/403", "unreachable", "fail"],
    ["/challenge", "unreachable", "fail"],
    ["/500", "unreachable", "retry"],
    ["/broken", "unreachable", "retry"],
    ["/not-gzip", "unreachable", "retry"],
    ["/loop", "unreachable", "fail"],
    ["/to-private", "private_address", "fail"],
    ["/to-other-port", "private_address", "fail"],
    ["/to-file", "invalid_input", "fail"],
    ["/to-user", "invalid_input", "fail"],
    ["/bomb", "too_large", "fail"],
    ["/long", "too_large", "fail"],
    ["/announced", "too_large", "fail"],
  ])("%s fails with %s, to %s", async (path, code, kind) => {
    await expect(fetched(path)).rejects.toMatchObject({ code, disposition: { kind } });
  });

  test.each([
    ["/429", 7_000],
    ["/429-long", 60_000],
    ["/503-date", 30_000],
  ])("%s is tried again when the server says, within a minute", async (path, delayMs) => {
    await expect(fetched(path)).rejects.toMatchObject({
      code: "unreachable",
      disposition: { kind: "retry_after", delayMs },
    });
  });

  test("a server that does not answer is timed out and tried again", async () => {
    await expect(fetched("/silent", { timeoutMs: 150 })).rejects.toMatchObject({
      code: "timeout",
      disposition: { kind: "retry" },
    });
  });

  test("an abort ends the fetch with the signal's reason", async () => {
    const abort = new AbortController();
    const running = fetched("/silent", { signal: abort.signal });
    abort.abort(new Error("stopped"));
    await expect(running).rejects.toThrow("stopped");
  });

  test("nothing is fetched from a private host that was not allowed, nor with credentials", async () => {
    await expect(fetched("/page", { allowHosts: new Set() })).rejects.toMatchObject({
      code: "private_address",
    });
    const withPassword = `${server.base.replace("//", "//user:secret@")}/page`;
    await expect(fetched(withPassword)).rejects.toMatchObject({ code: "invalid_input" });
    await expect(fetched("ftp://example.com/")).rejects.toMatchObject({ code: "invalid_input" });
  });
});
