import { createHash } from "node:crypto";
import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { publicCapabilities } from "@proofroom/contracts";
import { eventually, makeTempFolder, type TempFolder } from "@proofroom/testing";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuthOptions } from "./deps.ts";
import { type TestGateway, testGateway } from "./testing/test-gateway.ts";

let folder: TempFolder;
const open: TestGateway[] = [];

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(async () => {
  for (const { app } of open.splice(0)) await app.close();
  await folder.close();
});

async function start(changes: Parameters<typeof testGateway>[1] = {}): Promise<TestGateway> {
  const gateway = await testGateway(folder.path, changes);
  open.push(gateway);
  return gateway;
}

const hash = (key: string) => createHash("sha256").update(key).digest("hex");
const keyed: AuthOptions = {
  keys: ["one", "two"].map((key) => ({ tenant: "default", sha256: hash(key) })),
  host: "0.0.0.0",
};

describe("who may ask", () => {
  it("refuses to be open to other machines without a key, and names the setting", async () => {
    await expect(testGateway(folder.path, { auth: { keys: [], host: "0.0.0.0" } })).rejects.toMatchObject({
      code: "not_configured",
      remedy: expect.stringContaining("PROOFROOM_API_KEYS"),
    });
  });

  it.each([
    [undefined, 401],
    ["Bearer three", 401],
    ["Bearer ", 401],
    ["Basic b25l", 401],
    [`Bearer ${hash("one")}`, 401],
    ["Bearer one", 200],
    ["bearer two", 200],
  ])("answers the authorization %j with %i", async (authorization, status) => {
    const { app } = await start({ auth: keyed });
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await app.inject({ url: "/v1/runs", headers });
    expect(answer.statusCode).toBe(status);
    if (status === 401) {
      expect(answer.headers["www-authenticate"]).toContain("Bearer");
      expect(answer.json().code).toBe("unauthorized");
    }
  });

  it("shows health and metrics to this machine, and not to whom a proxy speaks for, silently or not", async () => {
    const { app } = await start({ auth: { ...keyed, allowedHosts: ["api.example"] } });
    for (const url of ["/livez", "/healthz", "/readyz", "/metrics"]) {
      expect((await app.inject(url)).statusCode).toBe(200);
      expect((await app.inject({ url, headers: { host: "api.example" } })).statusCode).toBe(401);
      expect((await app.inject({ url, remoteAddress: "10.0.0.9" })).statusCode).toBe(401);
      for (const name of ["x-forwarded-for", "x-forwarded-proto", "forwarded", "via", "cf-connecting-ip"]) {
        expect((await app.inject({ url, headers: { [name]: "10.0.0.9" } })).statusCode).toBe(401);
      }
    }
  });

  it.each([
    [{ host: "evil.example" }, 421],
    [{ host: "127.0.0.1.evil.example:8080" }, 421],
    [{ host: "///" }, 400],
    [{ host: "localhost:8080", origin: "http://evil.example" }, 403],
    [{ host: "localhost:8080", origin: "http://localhost:3000" }, 403],
    [{ host: "localhost:8080", origin: "null" }, 403],
    [{ host: "localhost:8080", origin: "http://localhost:8080" }, 200],
    [{ host: "[::1]:8080" }, 200],
  ])("guards a loopback address against web pages: %j is %i", async (headers, status) => {
    const { app } = await start();
    expect((await app.inject({ url: "/v1/runs", headers })).statusCode).toBe(status);
  });

  it("answers to the names that were set, on loopback and beyond it, and to pages of theirs alone", async () => {
    for (const host of ["127.0.0.1", "0.0.0.0"]) {
      const { app } = await start({ auth: { ...keyed, host, allowedHosts: ["api.example"] } });
      const ask = async (headers: Record<string, string>) =>
        (await app.inject({ url: "/v1/runs", headers: { authorization: "Bearer one", ...headers } }))
          .statusCode;
      expect(await ask({ host: "api.example", origin: "https://api.example" })).toBe(200);
      expect(await ask({ host: "localhost:8080" })).toBe(200);
      expect(await ask({ host: "other.example" })).toBe(421);
      expect(await ask({ host: "api.example", origin: "https://other.example" })).toBe(403);
    }
  });

  it("slows down one key and not the others, and tells when to go on", async () => {
    let at = 0;
    const auth = { ...keyed, ratePerSecond: 1 };
    const { app } = await start({ auth, now: () => new Date(at) });
    const ask = (key: string) => app.inject({ url: "/v1/runs", headers: { authorization: `Bearer ${key}` } });
    expect([(await ask("one")).statusCode, (await ask("one")).statusCode]).toEqual([200, 200]);
    const slowed = await ask("one");
    expect([slowed.statusCode, slowed.headers["retry-after"], slowed.json().code]).toEqual([
      429,
      "1",
      "quota",
    ]);
    expect((await ask("two")).statusCode).toBe(200);
    at = 1_000;
    expect((await ask("one")).statusCode).toBe(200);
  });
});

describe("who has no key that holds", () => {
  const refusals = async (gateway: TestGateway, count: number, remoteAddress: string, headers = {}) => {
    const answers = [];
    for (let n = 0; n < count; n += 1)
      answers.push(await gateway.app.inject({ url: "/v1/runs", remoteAddress, headers }));
    return answers;
  };

  it("is told to wait after some tries, by the address of the peer and not by what that says of whom it speaks for", async () => {
    let at = 0;
    const gateway = await start({ auth: { ...keyed, ratePerSecond: 1 }, now: () => new Date(at) });
    const wrong = { authorization: "Bearer three", "x-forwarded-for": "10.9.9.9" };
    const answers = await refusals(gateway, 2, "10.0.0.9");
    answers.push(...(await refusals(gateway, 2, "10.0.0.9", wrong)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 429, 429]);
    const last = answers.at(-1);
    expect([last?.headers["retry-after"], last?.json().code]).toEqual(["1", "quota"]);
    const [other] = await refusals(gateway, 1, "10.0.0.8", wrong);
    expect(other?.statusCode).toBe(401);
    // Behind a proxy all have its address.
    const [known] = await refusals(gateway, 1, "10.0.0.9", { authorization: "Bearer one" });
    expect(known?.statusCode).toBe(200);
    at = 1_000;
    expect((await refusals(gateway, 1, "10.0.0.9"))[0]?.statusCode).toBe(401);
  });
});

describe("what stays open", () => {
  it("is limited for each caller, so that one of them leaves the others room", async () => {
    const store = createFsStore({ root: folder.path });
    const gate = Promise.withResolvers<void>();
    const slow: ObjectStore = {
      ...store,
      async *list(prefix, options) {
        await gate.promise;
        yield* store.list(prefix, options);
      },
    };
    const { app } = await start({ store: slow, auth: { ...keyed, openAtOnce: 2 } });
    const ask = async (key: string, url = "/v1/runs") => {
      const answer = await app.inject({ url, headers: { authorization: `Bearer ${key}` } });
      return answer.statusCode;
    };
    const missing = `/v1/runs/run_${"0".repeat(26)}`;
    const open = [ask("one"), ask("one")];
    expect(await ask("one", missing)).toBe(429);
    expect(await ask("two", missing)).toBe(404);
    gate.resolve();
    expect(await Promise.all(open)).toEqual([200, 200]);
    await eventually(async () => (await ask("one", missing)) === 404);
  });
});

describe("bad requests", () => {
  const json = { "content-type": "application/json" };

  it.each([
    ["{", json, 400],
    ["[".repeat(100_000), json, 400],
    [`{"guideline":${"[".repeat(40)}${"]".repeat(40)}}`, json, 400],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), json, 400],
    ["null", json, 400],
    ["7", json, 400],
    ["[]", json, 400],
    ['{"guideline":"x","__proto__":{"start":false}}', json, 400],
    ["x", { "content-type": "text/plain" }, 415],
    ["x", { "content-type": ";;;" }, 415],
    ['{"guideline":"x"}', { ...json, "content-encoding": "gzip" }, 415],
    [`{"guideline":"${"x".repeat(10 * 1024 * 1024)}"}`, json, 413],
  ])("is refused precisely (case %#)", async (payload, headers, status) => {
    const { app } = await start();
    const answer = await app.inject({ method: "POST", url: "/v1/runs", payload, headers });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers["content-type"]).toContain("application/problem+json");
    expect(answer.json()).toMatchObject({ status, type: expect.stringContaining("urn:proofroom:problem:") });
  });

  it.each([
    "/",
    "/v2/runs",
    "/v1/runs/",
    "//",
    "/v1/%ff",
    "/v1/runs?cursor=%ff",
    "/v1/runs/%E0%A4%A",
    `/v1/runs/${"x".repeat(9_000)}`,
  ])("has a problem for the address %s", async (url) => {
    const { app } = await start();
    const answer = await app.inject(url);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
    expect(answer.headers["content-type"]).toContain("application/problem+json");
  });

  it("never answers 5xx, whatever method, path, headers and body", async () => {
    const { app } = await start();
    const created = await app.inject({
      method: "POST",
      url: "/v1/runs",
      payload: { guideline: "# x", start: false },
    });
    const run = created.json().run_id as string;
    const name = publicCapabilities()[0]?.name ?? "";
    const part = fc.oneof(
      fc.constantFrom(
        run,
        "v1",
        "runs",
        "jobs",
        "artifacts",
        "events",
        "capabilities",
        name,
        "uploads",
        "..",
        "",
      ),
      fc.constantFrom(
        "article.md",
        ".nova",
        "%2e%2e",
        "%00",
        "%2F",
        `${run}-${name}-g1`,
        "retry",
        "resume",
        "docs",
      ),
      fc.string({ unit: "binary", maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())),
    );
    const path = fc.oneof(
      fc.array(part, { maxLength: 6 }).map((parts) => `/${parts.join("/")}`),
      fc.array(part, { maxLength: 3 }).map((parts) => `/v1/runs/${run}/${parts.join("/")}`),
    );
    const header = fc.oneof(
      fc.constantFrom("*", "0-1", '"x"', "bytes=0-", "bytes=-1", "true"),
      fc.stringMatching(/^[ -~]{0,20}$/),
    );
    const names = [
      "range",
      "if-match",
      "if-none-match",
      "last-event-id",
      "idempotency-key",
      "if-range",
      "accept",
    ];
    const request = fc.record({
      method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS"),
      path,
      query: fc.constantFrom(
        "",
        "?force=1",
        "?wait=0",
        "?limit=5",
        "?cursor=%00",
        "?path=a%2Fb",
        "?wait=x&wait=y",
      ),
      type: fc.constantFrom("application/json", "text/markdown", "application/octet-stream", "a/b", ""),
      headers: fc.dictionary(fc.constantFrom(...names), header, { maxKeys: 3 }),
      body: fc.oneof(
        fc.json(),
        fc.string({ maxLength: 30 }),
        fc
          .record({
            guideline: fc.string(),
            run_id: fc.constant(run),
            capability: fc.constant(name),
            from: fc.string(),
          })
          .map((value) => JSON.stringify(value)),
      ),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path: url, query, type, headers, body }) => {
        const answer = await app.inject({
          method: method as "GET",
          url: url + query,
          headers: { ...headers, ...(type === "" ? {} : { "content-type": type }) },
          ...(method === "GET" || method === "HEAD" ? {} : { payload: body }),
        });
        expect(answer.statusCode).toBeLessThan(500);
      }),
      { numRuns: 1_000 },
    );
  }, 20_000);
});

describe("the OpenAPI document", () => {
  it("describes every address that is registered and no other, and whatever else is asked of it is 405", async () => {
    const { app } = await start();
    const document = (await app.inject("/openapi.json")).json();
    expect(document.openapi).toBe("3.1.0");
    const paths = document.paths as Record<string, object>;
    const registered = registeredPaths(app.printRoutes({ commonPrefix: false }));
    expect(registered.filter((path) => !path.includes("/docs")).toSorted()).toEqual(
      Object.keys(paths).toSorted(),
    );
    for (const { name } of publicCapabilities()) {
      expect(paths[`/v1/runs/{run_id}/capabilities/${name}`]).toHaveProperty("post");
    }
    for (const [path, operations] of Object.entries(paths)) {
      const allowed = Object.keys(operations).map((method) => method.toUpperCase());
      for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] as const) {
        if (allowed.includes(method)) continue;
        const answer = await app.inject({ method, url: path.replace(/[{}]/g, ""), payload: "{" });
        expect([answer.statusCode, answer.headers.allow], `${method} ${path}`).toEqual([
          405,
          allowed.join(", "),
        ]);
      }
    }
  });

  it("gives each operation an id of its own and the parameters of its path", async () => {
    const { app } = await start();
    const { paths } = (await app.inject("/openapi.json")).json();
    const ids: string[] = [];
    for (const [path, operations] of Object.entries<Record<string, Operation>>(paths)) {
      for (const { operationId, parameters, responses } of Object.values(operations)) {
        ids.push(operationId);
        const named = parameters
          .filter((parameter) => parameter.in === "path")
          .map((parameter) => parameter.name);
        expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
        expect(Object.keys(responses)).toContain("401");
      }
    }
    expect(new Set(ids).size).toBe(ids.length);
  });
});

interface Operation {
  operationId: string;
  parameters: { name: string; in: string }[];
  responses: Record<string, unknown>;
}

/** The addresses in fastify's drawing of its routes, as OpenAPI writes them. */
function registeredPaths(drawn: string): string[] {
  const parents: string[] = [];
  const paths = drawn.split("\n").flatMap((line) => {
    const match = /^(?<indent>[│ ]*)[├└]── (?<path>\S*) ?(?:\((?<methods>[A-Z, ]+)\))?/.exec(line)?.groups;
    if (match === undefined) return [];
    const depth = (match["indent"] ?? "").length / 4;
    parents.splice(depth, parents.length, match["path"] ?? "");
    const path = parents
      .join("")
      .replace(/:(\w+)/g, "{$1}")
      .replace(/artifacts\/?\*/, "artifacts/{name}");
    return match["methods"] === undefined ? [] : [path];
  });
  return [...new Set(paths)];
}

describe("the reference page", () => {
  it("loads from this server alone", async () => {
    const { app } = await start({ auth: keyed });
    const page = await app.inject("/docs/");
    expect(page.statusCode).toBe(200);
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.headers["content-security-policy"]).not.toMatch(/https?:/);
    expect(page.body).not.toMatch(/(?:src|href)="https?:/);
    expect((await app.inject("/docs/js/scalar.js")).statusCode).toBe(200);
    expect((await app.inject("/openapi.json")).statusCode).toBe(200);
  });
});

describe("metrics", () => {
  it("count requests by route and never by address", async () => {
    const { app } = await start();
    await app.inject("/v1/runs/run_secret");
    const { body } = await app.inject("/metrics");
    expect(body).toContain(
      'proofroom_http_requests_total{method="GET",route="/v1/runs/:run_id",status="404"} 1',
    );
    expect(body).not.toContain("run_secret");
  });
});
