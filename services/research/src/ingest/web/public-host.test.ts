import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type LoopbackServer, startLoopback } from "./loopback-server.ts";

const resolver = vi.hoisted(() => ({ answers: new Map<string, string[]>() }));

vi.mock("node:dns", async (original) => ({
  ...(await original<typeof import("node:dns")>()),
  lookup(name: string, _options: object, callback: (error: Error | null, addresses?: object[]) => void) {
    const found = resolver.answers.get(name);
    if (found === undefined) callback(Object.assign(new Error(name), { code: "ENOTFOUND" }));
    else if (found.length > 0) {
      callback(
        null,
        found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    }
  },
}));

const { assertPublicHost, createPublicDispatcher } = await import("./public-host.ts");
const { request } = await import("undici");

const none: ReadonlySet<string> = new Set();
const check = (url: string, allowHosts = none) => assertPublicHost(new URL(url), { allowHosts });

let server: LoopbackServer;
let hits = 0;

beforeAll(async () => {
  server = await startLoopback({
    "/": (_request, response) => {
      hits += 1;
      response.end("inside");
    },
  });
});

afterAll(() => server.close());

describe("assertPublicHost", () => {
  test.each([
    "http://127.0.0.1/",
    "http://0x7f.1/",
    "http://2130706433/",
    "http://10.1.2.3/",
    "http://169.254.169.254/latest/meta-data/",
    "http://100.64.0.1/",
    "http://[::1]/",
    "http://[::ffff:192.168.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:a00:1::]/",
    "http://[fd00::1]/",
    "http://localhost/",
    "http://db.localhost./",
    "http://printer.local/",
    "http://metadata.google.internal/",
    "http://intranet/",
  ])("refuses %s without asking a resolver", async (url) => {
    await expect(check(url)).rejects.toMatchObject({
      code: "private_address",
      disposition: { kind: "fail" },
    });
  });

  test("accepts public addresses and names", async () => {
    resolver.answers.set("docs.example.com", ["93.184.216.34", "2606:2800:220:1::1"]);
    expect(await check("https://docs.example.com/")).toEqual(["93.184.216.34", "2606:2800:220:1::1"]);
    expect(await check("http://1.1.1.1/")).toEqual([]);
    await check("http://[2606:4700::1111]/");
  });

  test("refuses a name if one of its addresses is private", async () => {
    resolver.answers.set("mixed.example.com", ["93.184.216.34", "10.0.0.5"]);
    await expect(check("https://mixed.example.com/")).rejects.toMatchObject({ code: "private_address" });
    resolver.answers.set("six.example.com", ["93.184.216.34", "::ffff:127.0.0.1"]);
    await expect(check("https://six.example.com/")).rejects.toMatchObject({ code: "private_address" });
  });

  test("an allowed host:port is allowed there and nowhere else", async () => {
    const allowed = new Set(["localhost:8080", "[::1]:81", "127.0.0.1:80"]);
    await check("http://LOCALHOST:8080/x", allowed);
    await check("http://[::1]:81/", allowed);
    await check("http://127.0.0.1/", allowed);
    await expect(check("http://localhost:8081/", allowed)).rejects.toMatchObject({ code: "private_address" });
    await expect(check("https://127.0.0.1/", allowed)).rejects.toMatchObject({ code: "private_address" });
  });

  test("a name that does not exist fails, and is not tried again", async () => {
    await expect(check("https://gone.example.com/")).rejects.toMatchObject({
      code: "unreachable",
      disposition: { kind: "fail" },
    });
  });

  test("an abort ends the wait for a resolver that never answers", async () => {
    resolver.answers.set("silent.example.com", []);
    const abort = new AbortController();
    const url = new URL("https://silent.example.com/");
    const waiting = assertPublicHost(url, { allowHosts: none, signal: abort.signal });
    abort.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
  });
});

describe("the dispatcher", () => {
  async function get(url: string, allowHosts = none): Promise<string> {
    const dispatcher = await createPublicDispatcher({ allowHosts });
    try {
      return await (await request(url, { dispatcher })).body.text();
    } finally {
      await dispatcher.destroy();
    }
  }

  test("never connects to a private address, literal or behind a public name", async () => {
    resolver.answers.set("rebound.example.com", ["127.0.0.1"]);
    const refused = { code: "private_address" };
    await expect(get(`http://127.0.0.1:${server.port}/`)).rejects.toMatchObject(refused);
    await expect(get(`http://rebound.example.com:${server.port}/`)).rejects.toMatchObject(refused);
    await expect(get(`https://rebound.example.com:${server.port}/`)).rejects.toMatchObject(refused);
    await expect(get(`http://localhost:${server.port}/`)).rejects.toMatchObject(refused);
    expect(hits).toBe(0);
  });

  test("connects to an allowed host:port", async () => {
    await expect(get(`http://127.0.0.1:${server.port}/`, server.allowHosts)).resolves.toBe("inside");
  });
});
