import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { openTestPlace, type TestPlace } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apiKeyOf, startTestGateway } from "../testing/start-test-gateway.ts";
import type { HttpGatewayOptions } from "./gateway.ts";

let place: TestPlace;

beforeEach(async () => {
  place = await openTestPlace();
});

afterEach(() => place.close());

async function serve(options: Partial<HttpGatewayOptions> = {}): Promise<string> {
  const gateway = await startTestGateway(place, options);
  place.closing(() => gateway.close(100));
  return gateway.url;
}

const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
const accept = "application/json, text/event-stream";

type Body = string | Uint8Array | ReadableStream;

function post(url: string, headers: Record<string, string> = {}, body: Body = list) {
  return fetch(url, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", accept, ...headers },
    ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
  } as RequestInit);
}

/** Asks with a key under a name that fetch would not send. */
function statusUnder(host: string, url: string): Promise<number | undefined> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const headers = { host, accept, "content-type": "application/json", authorization: "Bearer a-key" };
    const asked = request({ port, path: "/mcp", method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on("error", reject);
    asked.end(list);
  });
}

describe("what is let in", () => {
  it("callers with a key, and no foreign pages", async () => {
    const key = apiKeyOf("default", "a-key");
    const url = await serve({ apiKeys: [key, apiKeyOf("docs", "another")] });
    const authorization = "Bearer a-key";
    for (const origin of ["https://evil.example", "null"])
      expect((await post(url, { origin, authorization })).status).toBe(403);
    expect((await post(url, { origin: "http://localhost:3000", authorization })).status).toBe(200);
    expect((await post(url, { authorization: "bearer another" })).status).toBe(200);
    for (const wrong of [`Bearer ${key.sha256}`, "Bearer a-key2", "Bearer ", "Basic a-key", "a-key"]) {
      const refused = await post(url, { authorization: wrong });
      expect([wrong, refused.status]).toEqual([wrong, 401]);
      expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer /);
      expect(await refused.json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32_000 }, id: null });
    }
    expect((await post(url)).status).toBe(401);
    expect((await fetch(`${new URL(url).origin}/.well-known/oauth-protected-resource`)).status).toBe(404);
  });

  it.each(["evil.example", "localhost.evil.example"])(
    "on loopback nothing under the name %j: a page could have pointed it here",
    async (host) => {
      expect(await statusUnder(host, await serve())).toBe(403);
    },
  );

  it("beyond loopback any name that is one, since a key protects", async () => {
    const url = await serve({ host: "0.0.0.0", apiKeys: [apiKeyOf("default", "a-key")] });
    expect(await statusUnder("gateway.example", url)).toBe(200);
    expect(await statusUnder("a b", url)).toBe(400);
  });

  it.each([
    "localhost/x",
    "localhost?evil.example",
    "127.0.0.1#evil.example",
    "evil.example:80@127.0.0.1",
    "localhost@evil.example",
    "a b",
  ])("nothing under %j, which is no name but more", async (host) => {
    expect(await statusUnder(host, await serve())).toBe(400);
  });

  it("no TRACE, as no other method that is not the protocol's", async () => {
    const url = await serve();
    for (const method of ["TRACE", "PUT"]) {
      const answered = Promise.withResolvers<number | undefined>();
      const asked = request(url, { method }, (response) => answered.resolve(response.resume().statusCode));
      asked.on("error", answered.reject).end();
      expect([method, await answered.promise]).toEqual([method, 405]);
    }
  });

  it("under the names given alone where some are, from pages there too", async () => {
    const url = await serve({ allowedHosts: ["gateway.example"] });
    expect(await statusUnder("gateway.example:443", url)).toBe(200);
    expect(await statusUnder("other.example", url)).toBe(403);
    expect((await post(url, { origin: "https://gateway.example" })).status).toBe(200);
  });

  it("nobody from beyond loopback where nobody is asked who they are", async () => {
    await expect(serve({ host: "0.0.0.0" })).rejects.toMatchObject({ code: "not_configured" });
  });
});

describe("an address that is taken", () => {
  it("is told as a setting to be changed", async () => {
    const port = Number(new URL(await serve()).port);
    await expect(serve({ port })).rejects.toMatchObject({
      code: "not_configured",
      message: expect.stringContaining("EADDRINUSE"),
      remedy: expect.stringContaining("PROOFROOM_MCP_PORT"),
    });
  });
});

describe("too many requests", () => {
  async function refusalOf(answer: Response) {
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(1);
    expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32_000 }, id: null });
  }

  it("are refused to the one who sends them, and when to come again is said", async () => {
    const apiKeys = [apiKeyOf("default", "one"), apiKeyOf("default", "two")];
    const url = await serve({ apiKeys, ratePerSecond: 0.01 });
    expect((await post(url, { authorization: "Bearer one" })).status).toBe(200);
    await refusalOf(await post(url, { authorization: "Bearer one" }));
    expect((await post(url, { authorization: "Bearer two" })).status).toBe(200);
    expect((await post(url)).status).toBe(401);
  });

  it("without a key that holds are refused as such a few times, and who has one comes in all the same", async () => {
    const url = await serve({ apiKeys: [apiKeyOf("default", "one")], ratePerSecond: 0.5 });
    expect((await post(url)).status).toBe(401);
    await refusalOf(await post(url, { authorization: "Bearer three", "x-forwarded-for": "10.9.9.9" }));
    expect((await post(url, { authorization: "Bearer one" })).status).toBe(200);
  });

  it("are counted one by one where a batch holds several", async () => {
    const batch = JSON.stringify(
      [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "tools/list", params: {} })),
    );
    const version = { "mcp-protocol-version": "2025-03-26" };
    const served = await post(await serve(), version, batch);
    expect(served.status).toBe(200);
    expect((await served.text()).match(/"id":\d/g)).toHaveLength(2);
    await refusalOf(await post(await serve({ ratePerSecond: 0.01 }), version, batch));
  });

  it("are counted by address where nobody is asked who they are; probes are not", async () => {
    const url = await serve({ ratePerSecond: 0.01 });
    expect((await post(url)).status).toBe(200);
    await refusalOf(await post(url));
    for (let n = 0; n < 5; n += 1) expect((await fetch(`${new URL(url).origin}/healthz`)).status).toBe(200);
  });
});

describe("bodies", () => {
  const call = (args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_runs","arguments":${args}}}`;
  const deep = (levels: number) => call(`{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`);
  const large = call(JSON.stringify({ guideline: "x".repeat(10 * 1024 * 1024) }));
  const halfCharacter = Buffer.concat([
    Buffer.from(list.slice(0, -1)),
    Buffer.from(',"a":"'),
    Buffer.from([0xe2, 0x82]),
    Buffer.from('"}'),
  ]);

  it.each([
    ["of 10 MB", large, 413, -32_000],
    ["nested 100,000 levels deep", deep(100_000), 400, -32_600],
    ["nested 100 levels deep", deep(100), 400, -32_600],
    ["that are cut off", "{", 400, -32_700],
    ["that are empty", "", 400, -32_700],
    ["with half a character", halfCharacter, 400, -32_700],
    ["in UTF-16", Buffer.from(list, "utf16le"), 400, -32_700],
    ["that are a number", "42", 400, undefined],
    ["that are null", "null", 400, undefined],
    ["that are an empty batch", "[]", 400, undefined],
  ])("%s are refused in JSON-RPC, and the next is served", async (_name, body, status, code) => {
    const url = await serve();
    const refused = await post(url, {}, body as Body);
    expect(refused.status).toBe(status);
    const { error } = (await refused.json()) as { error: { code: number; message: string } };
    expect(error.code).toBe(code ?? error.code);
    expect(error.message.length).toBeGreaterThan(5);
    expect(error.message.length).toBeLessThan(200);
    expect((await post(url)).status).toBe(200);
  });

  it("without a length are refused when they have become too large, and the answer arrives", async () => {
    const url = await serve();
    const chunk = Buffer.alloc(64 * 1024, " ");
    let left = 160;
    const body = new ReadableStream({
      pull(controller) {
        left -= 1;
        if (left < 0) controller.close();
        else controller.enqueue(chunk);
      },
    });
    expect((await post(url, {}, body)).status).toBe(413);
  });

  it.each([
    ["text", { "content-type": "text/plain" }, list],
    ["compressed", { "content-encoding": "gzip" }, gzipSync(list)],
  ])("that are %s are refused as such", async (_name, headers, body) => {
    const refused = await post(await serve(), headers, body as Body);
    expect(refused.status).toBe(415);
    expect(await refused.json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32_000 } });
  });

  it("are not read of those who may not come in", async () => {
    const url = await serve({ apiKeys: [apiKeyOf("default", "a-key")] });
    expect((await post(url, {}, large)).status).toBe(401);
  });

  it("of a selection of tools that there is not are refused", async () => {
    const refused = await post(`${await serve()}?tools=nothing`);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: -32_602 } });
  });
});

describe("a probe", () => {
  it("is told that the process is up, and whether the store and Redis answer", async () => {
    const { origin } = new URL(await serve({ apiKeys: [apiKeyOf("default", "a-key")] }));
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });

  it("is told what is away", async () => {
    const { origin } = new URL(await serve());
    await place.redis.kill();
    const away = await fetch(`${origin}/readyz`);
    expect(away.status).toBe(503);
    expect(await away.text()).toContain("Redis");
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    await place.redis.restart();
  });
});

it("counts requests by route, never by an address that a client chose, and tells so to this machine or with a key", async () => {
  const url = await serve({ host: "0.0.0.0", apiKeys: [apiKeyOf("default", "a-key")] });
  const origin = `http://127.0.0.1:${new URL(url).port}`;
  const authorization = "Bearer a-key";
  expect((await post(`${origin}/mcp`, { authorization })).status).toBe(200);
  expect((await post(`${origin}/mcp`)).status).toBe(401);
  await fetch(`${origin}/chosen-by-a-client`);
  expect(await (await fetch(`${origin}/livez`)).text()).toBe("ok\n");

  const forwarded = { "x-forwarded-for": "192.0.2.1" };
  expect((await fetch(`${origin}/metrics`, { headers: forwarded })).status).toBe(401);
  expect((await fetch(`${origin}/metrics`, { headers: { ...forwarded, authorization } })).status).toBe(200);
  const text = await (await fetch(`${origin}/metrics`)).text();
  expect(text).toContain('proofroom_http_requests_total{method="POST",route="/mcp",status="200"} 1\n');
  expect(text).toContain('proofroom_http_requests_total{method="POST",route="/mcp",status="401"} 1\n');
  expect(text).toContain('proofroom_http_requests_total{method="GET",route="none",status="404"} 1\n');
  expect(text).toContain('proofroom_http_requests_total{method="GET",route="/metrics",status="401"} 1\n');
  expect(text).toContain("proofroom_http_open_requests 1\n");
  expect(text).not.toContain("chosen-by-a-client");
});
