import { createHash } from "node:crypto";
import { request } from "node:http";
import { createFsStore } from "@proofroom/artifacts";
import { catalog, verifyCitations } from "@proofroom/contracts";
import { connect, createProducer, disconnect } from "@proofroom/queue";
import { silentLogger } from "@proofroom/telemetry";
import { eventually, openTestPlace, type TestPlace } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuthOptions } from "../deps.ts";
import { type LiveGateway, liveGateway } from "../testing/live-gateway.ts";

let place: TestPlace;
let gateway: LiveGateway;
const queue = verifyCitations.name;
const run_id = "run_01ARZ3NDEKTSV4RRFFQ69G5FAV";
const step_id = `${queue}-0000000000000001`;
const api = `/admin/queues/api/queues`;

beforeEach(async () => {
  place = await openTestPlace();
  gateway = await open();
});

function open(auth: Partial<AuthOptions> = {}): Promise<LiveGateway> {
  const { root, redisUrl } = place;
  return liveGateway({ store: createFsStore({ root }), redisUrl }, () => ({
    auth: { keys: [], host: "127.0.0.1", ...auth },
  }));
}

afterEach(async () => {
  await gateway.close();
  await place.close();
});

async function submit(): Promise<void> {
  const connection = connect({ url: place.redisUrl, role: "worker", log: silentLogger() });
  const producer = createProducer(connection);
  await producer.submit(verifyCitations, { v: 1, run_id, capability: queue, step_id, generation: 1 });
  await producer.close();
  await disconnect(connection);
}

const get = (path: string) => fetch(gateway.url + path);

interface Shown {
  name: string;
  readOnlyMode: boolean;
  isPaused: boolean;
  counts: Record<string, number>;
  jobs: unknown[];
}

/** The queues as the dashboard's own page asks for them, with the jobs of one of them. */
async function shownQueues(): Promise<Shown[]> {
  const answer = await get(`${api}?activeQueue=${queue}&page=1&jobsPerPage=10`);
  return ((await answer.json()) as { queues: Shown[] }).queues;
}

async function shownQueue(): Promise<Shown | undefined> {
  return (await shownQueues()).find(({ name }) => name === queue);
}

async function problemOf(answer: Response): Promise<[number, unknown]> {
  return [answer.status, ((await answer.json()) as { code: unknown }).code];
}

/** Asks with a Host header of its own, which fetch does not let one have. */
function statusFor(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(gateway.url);
    const asked = request({ host: "127.0.0.1", port, path: "/admin/queues", headers: { host } });
    asked.on("response", (answer) => resolve(answer.resume().statusCode));
    asked.on("error", reject).end();
  });
}

describe("the dashboard", () => {
  it("is a page that loads from this server alone", async () => {
    const page = await get("/admin/queues");
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    // The policy lets no script of the page itself run.
    expect(text).not.toMatch(/<script(?![^>]*(?: src=| type="application\/json"))/);
    const policy = page.headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:/);
    const assets = [...text.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, name]) => name);
    expect(assets.length).toBeGreaterThan(3);
    for (const asset of assets) {
      const answer = await get(`/admin/queues/${asset}`);
      expect([asset, answer.status]).toEqual([asset, 200]);
      await answer.arrayBuffer();
    }
  });

  it("shows every queue and its jobs", async () => {
    await submit();
    const queues = await shownQueues();
    expect(queues.map(({ name }) => name)).toEqual(catalog.map(({ name }) => name));
    expect(queues.every(({ readOnlyMode }) => readOnlyMode)).toBe(true);
    const shown = await shownQueue();
    expect(shown?.counts["waiting"]).toBe(1);
    expect(shown?.jobs).toMatchObject([{ id: `${run_id}-${step_id}-g1`, data: { step_id } }]);
    const job = await get(`${api}/${queue}/${run_id}-${step_id}-g1`);
    expect(await job.json()).toMatchObject({ status: "waiting" });
  });

  it.each([
    ["PUT", `${api}/${queue}/${run_id}-${step_id}-g1/clean`],
    ["PUT", `${api}/${queue}/${run_id}-${step_id}-g1/retry`],
    ["PUT", `${api}/${queue}/obliterate`],
    ["PUT", `${api}/pause`],
    ["POST", `${api}/${queue}/add`],
    ["PATCH", `${api}/${queue}/${run_id}-${step_id}-g1/update-data`],
    ["DELETE", `${api}/${queue}`],
    ["POST", "/admin/queues"],
  ])("changes nothing: %s %s is refused", async (method, path) => {
    await submit();
    const headers = { "content-type": "application/json" };
    const answer = await fetch(gateway.url + path, { method, headers, body: "{}" });
    expect(answer.headers.get("allow")).toBe("GET, HEAD");
    expect(await problemOf(answer)).toEqual([405, "method_not_allowed"]);
    const shown = await shownQueue();
    expect([shown?.counts["waiting"], shown?.isPaused]).toEqual([1, false]);
  });

  it.each(["x-forwarded-for", "forwarded", "via", "x-real-ip"])(
    "is not for whom a proxy speaks: %s",
    async (name) => {
      for (const path of ["/admin/queues", api, "/admin/queues/static/favicon.ico"]) {
        const answer = await fetch(gateway.url + path, { headers: { [name]: "10.0.0.9" } });
        expect(await problemOf(answer)).toEqual([403, "forbidden"]);
      }
    },
  );

  it("is not for other machines, nor for a name that leads here", async () => {
    const elsewhere = await gateway.app.inject({ url: api, remoteAddress: "10.0.0.9" });
    expect(elsewhere.statusCode).toBe(403);
    expect(await statusFor("queues.example")).toBe(421);
    expect(await statusFor("localhost:8080")).toBe(200);
  });

  it("is shown from afar to an operator, as a browser and as a program gives the key, and to no tenant", async () => {
    await gateway.close();
    const sha256 = (key: string) => createHash("sha256").update(key).digest("hex");
    gateway = await open({
      keys: [{ tenant: "default", sha256: sha256("tenant's") }],
      operatorKeys: [sha256("operator's"), sha256("ops:2")],
      ratePerSecond: 50,
    });
    const look = (authorization?: string) =>
      gateway.app.inject({
        url: "/admin/queues/nothing/at/all",
        remoteAddress: "10.0.0.9",
        ...(authorization === undefined ? {} : { headers: { authorization } }),
      });
    const basic = (user: string, key: string) => `Basic ${Buffer.from(`${user}:${key}`).toString("base64")}`;
    const page = await fetch(`${gateway.url}/admin/queues`, {
      headers: { authorization: basic("me", "operator's"), "x-forwarded-for": "10.0.0.9" },
    });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Proofroom")]);
    for (const known of ["Bearer operator's", basic("", "operator's"), basic("é", "ops:2")])
      expect([known, (await look(known)).statusCode]).toEqual([known, 404]);
    for (const unknown of [
      undefined,
      "Bearer tenant's",
      basic("me", "tenant's"),
      basic("operator's", ""),
      "Basic x",
    ]) {
      const refused = await look(unknown);
      expect([unknown, refused.statusCode, refused.json().code]).toEqual([unknown, 401, "unauthorized"]);
      expect(refused.headers["www-authenticate"]).toMatch(/^Basic realm=/);
    }
    const changing = await gateway.app.inject({
      method: "PUT",
      url: `${api}/pause`,
      remoteAddress: "10.0.0.9",
      headers: { authorization: "Bearer operator's" },
    });
    expect(changing.statusCode).toBe(405);
    // It opens the queues alone.
    const runs = await fetch(`${gateway.url}/v1/runs`, { headers: { authorization: "Bearer operator's" } });
    expect(runs.status).toBe(401);
    // Who tries many is told to wait, as everywhere.
    const tries = await Promise.all(Array.from({ length: 20 }, () => look("Bearer three")));
    expect(tries.at(-1)?.statusCode).toBe(429);
    expect(tries.at(-1)?.headers["retry-after"]).toBe("1");
  });

  it("has a problem for what is not there, and none for the rest of the gateway", async () => {
    const missing = await get("/admin/queues/api/nothing/at/all");
    expect(await problemOf(missing)).toEqual([404, "not_found"]);
    expect((await get(`${api}/nobody/1`)).status).toBe(404);
    expect((await get("/healthz")).status).toBe(200);
  });

  it("says that Redis is away rather than waiting for it, and shows it when it is back", async () => {
    await get(api);
    await place.redis.kill();
    expect(await problemOf(await get(api))).toEqual([503, "dependency_down"]);
    await place.redis.restart();
    await eventually(async () => (await get(api)).status === 200);
  });

  it("opens after a first look at which Redis was away", async () => {
    await place.redis.kill();
    expect((await get("/admin/queues")).status).toBe(503);
    await place.redis.restart();
    await eventually(async () => (await get("/admin/queues")).status === 200);
  });
});

describe("metrics", () => {
  it("tell how the queues stand", async () => {
    await submit();
    const told = await (await get("/metrics")).text();
    expect(told).toContain(`proofroom_queue_jobs{queue="${queue}",state="waiting"} 1`);
    expect(told).toContain(`proofroom_queue_workers{queue="${queue}"} 0`);
  });

  it("are served without Redis too, and tell that the queues cannot be looked at", async () => {
    await place.redis.kill();
    const answer = await get("/metrics");
    expect(answer.status).toBe(200);
    const told = await answer.text();
    expect(told).toContain("proofroom_queue_up 0\n");
    expect(told).not.toContain("proofroom_queue_jobs");
  });
});
