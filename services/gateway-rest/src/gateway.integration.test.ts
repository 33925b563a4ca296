import { rename } from "node:fs/promises";
import { createConnection } from "node:net";
import { join } from "node:path";
import { createFsStore } from "@proofroom/artifacts";
import { ProofroomError, type RunEvent } from "@proofroom/contracts";
import {
  connect,
  createCancelBus,
  createEventLog,
  createProducer,
  disconnect,
  type RunningWorker,
} from "@proofroom/queue";
import { createCancellations, type Handlers, serve } from "@proofroom/runtime";
import { openLedger, removeRun } from "@proofroom/runtime/records";
import { silentLogger } from "@proofroom/telemetry";
import { eventually, openTestPlace, type TestPlace } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Message, messages, watch } from "./testing/event-stream.ts";
import { liveGateway } from "./testing/live-gateway.ts";

const log = silentLogger();
let place: TestPlace;

beforeEach(async () => {
  place = await openTestPlace();
});

afterEach(() => place.close());

/** One gateway on a port of its own. */
async function replica() {
  const store = createFsStore({ root: place.root });
  const readers = new Set<AbortSignal>();
  const gateway = await liveGateway({ store, redisUrl: place.redisUrl }, (shared) => ({
    events: {
      ...shared,
      follow(runId, after, signal) {
        readers.add(signal);
        return shared.follow(runId, after, signal);
      },
    },
  }));
  place.closing(() => gateway.close());
  return { ...gateway, store, readers };
}

/** What a worker works with. */
function links() {
  const connection = connect({ url: place.redisUrl, role: "worker", log });
  const producer = createProducer(connection);
  const bus = createCancelBus(connection);
  place.closing(async () => {
    await producer.close();
    bus.close();
    await disconnect(connection);
  });
  const store = createFsStore({ root: place.root });
  return { store, connection, producer, bus, events: createEventLog(connection, log) };
}

async function createRun(url: string): Promise<string> {
  const answer = await fetch(`${url}/v1/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ guideline: "# Watched\n", start: false }),
  });
  return ((await answer.json()) as { run_id: string }).run_id;
}

async function finish(at: Awaited<ReturnType<typeof replica>>, runId: string): Promise<void> {
  const ledger = openLedger(at.store, runId);
  const { n } = await ledger.open("start");
  await ledger.close({ n, status: "succeeded", at: new Date().toISOString(), reasons: [] });
  at.events.publish({ run_id: runId, type: "run.finished", status: "succeeded" });
}

/** Sends a text to the port as it stands; answers what has come back when the connection is closed. */
function send(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    let answer = "";
    const socket = createConnection(Number(port), hostname, () => socket.write(text));
    socket.on("data", (data) => {
      answer += data.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

describe("watching a run", () => {
  it("gives every event once and in order when the replica dies and the client goes on at another", async () => {
    const first = await replica();
    const second = await replica();
    const runId = await createRun(first.url);
    const publish = (done: number) =>
      second.events.publish({ run_id: runId, type: "step.progress", progress: { done } });
    for (let done = 0; done < 20; done += 1) publish(done);

    const seen: RunEvent[] = [];
    let last = "";
    const take = ({ id, data }: Message) => {
      if (id === undefined) return;
      last = id;
      seen.push(JSON.parse(data));
    };
    for await (const message of messages(await watch(first.url, runId))) {
      take(message);
      if (seen.length === 20) {
        first.app.server.closeAllConnections();
        break;
      }
    }
    await first.app.close();
    for (let done = 20; done < 150; done += 1) publish(done);
    const answer = await watch(second.url, runId, last);
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    for await (const message of messages(answer)) {
      take(message);
      if (message.id !== undefined && seen.length === 150) await finish(second, runId);
    }
    expect(seen.map(({ progress }) => progress?.done)).toEqual([...Array(150).keys(), undefined]);
    expect(seen.at(-1)).toMatchObject({ type: "run.finished", status: "succeeded" });
    expect(new Set(seen.map(({ id }) => id)).size).toBe(151);
    // Whoever has had everything is told not to come back.
    expect((await watch(second.url, runId, last)).status).toBe(204);
  });

  it("keeps a silent stream open, and lets go of it when the client hangs up", async () => {
    const at = await replica();
    const runId = await createRun(at.url);
    const hangUp = new AbortController();
    const answer = await fetch(`${at.url}/v1/runs/${runId}/events`, { signal: hangUp.signal });
    let comments = 0;
    for await (const { comment } of messages(answer)) {
      if (comment) comments += 1;
      if (comments === 2) break;
    }
    hangUp.abort();
    // The request that asks is the one that is open.
    const openNow = async () =>
      /open_requests (\d+)/.exec(await (await fetch(`${at.url}/metrics`)).text())?.[1];
    await eventually(async () => (await openNow()) === "1");
    expect([...at.readers].map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("ends when the run is removed, though nothing is left that tells of its end", async () => {
    const at = await replica();
    const runId = await createRun(at.url);
    const stream = messages(await watch(at.url, runId));
    await stream.next();
    // As it is for who is told of the end only when everything has been removed.
    await removeRun(at.store, { tenant: "default", runId });
    at.events.publish({ run_id: runId, type: "run.finished", status: "cancelled" });
    const told: Message[] = [];
    for await (const message of stream) told.push(message);
    expect(told.flatMap(({ event }) => event ?? [])).toEqual(["run.finished"]);
  });

  it("tells of events that are lost, rather than going on as if nothing were", async () => {
    const at = await replica();
    const runId = await createRun(at.url);
    at.events.publish({ run_id: runId, type: "run.started" });
    await at.events.flush(1_000);
    const lost = await at.events.position(runId);
    await place.redis.flush();
    await finish(at, runId);
    await at.events.flush(1_000);
    const old = `${Number(lost.split("-")[0]) - 1}-0`;
    const told: (string | undefined)[] = [];
    for await (const { event } of messages(await watch(at.url, runId, old))) told.push(event);
    expect(told.filter((event) => event !== undefined)).toEqual(["gap", "run.finished"]);

    await place.redis.flush();
    const empty = [];
    for await (const message of messages(await watch(at.url, runId, lost))) empty.push(message);
    expect(empty.at(-1)).toMatchObject({ event: "gap", id: "0-1" });
    expect((await watch(at.url, runId, "0-1")).status).toBe(204);
  });

  it.each(["x", "1", "99999999999999999999-0", "0-1\u00e9"])("refuses the position %s", async (position) => {
    const at = await replica();
    const runId = await createRun(at.url);
    expect((await watch(at.url, runId, position)).status).toBe(400);
  });
});

describe("calling a capability", () => {
  it("answers where the job is, waits for it, and finds it again", async () => {
    const at = await replica();
    const { store, connection, producer, bus, events } = links();
    let executions = 0;
    const handlers: Handlers<"critic"> = {
      async verify_citations() {
        executions += 1;
        const counts = { sentences: 1, cited: 1, supported: 1, uncertain: 0, unsupported: 0, unresolved: 0 };
        return { ...counts, uncited: 0, article_sha256: "a".repeat(64), artifact: ".nova/citations.json" };
      },
      async critic_evaluate_article() {
        throw new ProofroomError({ code: "invalid_input", message: "There is nothing to judge." });
      },
    };
    const cancellations = createCancellations(bus);
    const workers: RunningWorker[] = serve("critic", handlers, {
      store,
      events,
      cancellations,
      log,
      connection,
      producer,
    });
    place.closing(() => Promise.all(workers.map((worker) => worker.close(1_000))));
    const runId = await createRun(at.url);

    const call = (name: string, body: object) =>
      fetch(`${at.url}/v1/runs/${runId}/capabilities/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const called = await call("verify_citations", { round: 1 });
    expect(called.status).toBe(202);
    const jobAddress = called.headers.get("location") ?? "";
    const waited = await (await fetch(`${at.url}${jobAddress}?wait=20`)).json();
    expect(waited).toMatchObject({ status: "succeeded", output: { supported: 1 } });

    const again = await fetch(`${at.url}/v1/jobs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ run_id: runId, capability: "verify_citations", input: { round: 1 } }),
    });
    expect(again.headers.get("location")).toBe(jobAddress);
    expect(executions).toBe(1);
    const forced = await call("verify_citations?force=true", { round: 1 });
    expect(forced.headers.get("location")).toBe(jobAddress.replace(/-g1$/, "-g2"));

    const failing = await call("critic_evaluate_article", {});
    const failed = await (await fetch(`${at.url}${failing.headers.get("location")}?wait=20`)).json();
    expect(failed).toMatchObject({ status: "failed", error: { code: "invalid_input" } });
    expect((await call("verify_citations", { rounds: 1 })).status).toBe(400);
    expect((await call("ingest_web_page", {})).status).toBe(404);
    expect((await fetch(`${at.url}${jobAddress.replace(/-g1$/, "-g9")}`)).status).toBe(404);
  });
});

describe("the head of a request", () => {
  it.each([
    ["HELLO\r\n\r\n", 400],
    ["GET /v1/runs HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", 400],
    ["GET /v1/runs HTTP/1.1\r\nHost: localhost\r\nHost: b\r\nConnection: close\r\n\r\n", 400],
    ["GET http://b/v1/runs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400],
    ["GET http://localhost/v1/runs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 200],
    ["GET /v1/runs HTTP/1.0\r\n\r\n", 400],
    ["GET /v1/runs HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    [`GET /v1/runs HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ["GET /v1/runs?\u0000 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400],
  ])("is answered precisely (case %#)", async (text, status) => {
    const at = await replica();
    expect(await send(at.url, text)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});

describe("a request that does not come to its end", () => {
  it("is let go, and told that it took too long", async () => {
    const at = await replica();
    at.app.server.headersTimeout = 100;
    const answer = await send(at.url, "GET /v1/runs HTTP/1.1\r\nHost: localhost\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"timeout"');
  });
});

describe("a body that is refused", () => {
  const large = Buffer.alloc(40 * 1024 * 1024, "a");
  const inChunks = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < large.length; at += 65_536) controller.enqueue(large.subarray(at, at + 65_536));
        controller.close();
      },
    });

  it.each([
    ["JSON", "", "application/json", () => large],
    ["JSON without a length", "", "application/json", inChunks],
    ["a file", "/uploads?path=a", "application/octet-stream", () => large],
    ["a file without a length", "/uploads?path=a", "application/octet-stream", inChunks],
  ])("has its answer arrive at who is still sending it: %s", async (_what, path, type, body) => {
    const at = await replica();
    const runId = await createRun(at.url);
    for (let n = 0; n < 5; n += 1) {
      const answer = await fetch(`${at.url}/v1/runs${path === "" ? "" : `/${runId}${path}`}`, {
        method: "POST",
        headers: { "content-type": type },
        body: body(),
        duplex: "half",
      } as RequestInit);
      expect([answer.status, await answer.json()]).toMatchObject([413, { code: "too_large" }]);
    }
    const { artifacts } = (await (await fetch(`${at.url}/v1/runs/${runId}/artifacts`)).json()) as {
      artifacts: { name: string }[];
    };
    expect(artifacts.map(({ name }) => name)).toEqual(["article_guideline.md"]);
  });
});

describe("a store that is not what it was", () => {
  it("makes the gateway not ready: a folder may stand there in place of a disk", async () => {
    const at = await replica();
    expect((await fetch(`${at.url}/readyz`)).status).toBe(200);
    await rename(join(place.root, "tenants"), join(place.root, "elsewhere"));
    const ready = await fetch(`${at.url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { detail: "Away: the store." }]);
    await rename(join(place.root, "elsewhere"), join(place.root, "tenants"));
    expect((await fetch(`${at.url}/readyz`)).status).toBe(200);
  });
});

describe("without Redis", () => {
  it("says so with 503, is not ready, and is again when Redis is back", async () => {
    const at = await replica();
    const runId = await createRun(at.url);
    expect((await fetch(`${at.url}/readyz`)).status).toBe(200);
    await place.redis.kill();
    const ready = await fetch(`${at.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ code: "dependency_down", detail: "Away: the queue (Redis)." });
    const started = await fetch(`${at.url}/v1/runs/${runId}/resume`, { method: "POST" });
    expect([started.status, started.headers.get("retry-after")]).toEqual([503, "1"]);
    const created = await fetch(`${at.url}/v1/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ guideline: "# Lost\n" }),
    });
    expect(created.status).toBe(503);
    expect(await (await fetch(`${at.url}/v1/runs`)).json()).toMatchObject({ runs: [{ run_id: runId }] });
    expect((await fetch(`${at.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${at.url}/v1/runs/${runId}`)).status).toBe(200);
    await place.redis.restart();
    await eventually(async () => (await fetch(`${at.url}/readyz`)).status === 200);
  });
});
