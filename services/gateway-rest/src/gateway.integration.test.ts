import { createConnection } from "node:net";
import { createFsStore } from "@proofroom/artifacts";
import { ProofroomError, type RunEvent } from "@proofroom/contracts";
import {
  connect,
  createCancelBus,
  createEventLog,
  createProducer,
  disconnect,
  type EventLog,
  type RunningWorker,
} from "@proofroom/queue";
import { createCancellations, type Handlers, serve } from "@proofroom/runtime";
import { openLedger } from "@proofroom/runtime/records";
import { silentLogger } from "@proofroom/telemetry";
import {
  eventually,
  makeTempFolder,
  startTestRedis,
  type TempFolder,
  type TestRedis,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildApp } from "./app.ts";

const log = silentLogger();
let folder: TempFolder;
let redis: TestRedis;
const closers: (() => unknown)[] = [];

beforeEach(async () => {
  [folder, redis] = await Promise.all([makeTempFolder(), startTestRedis()]);
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await redis.close();
  await folder.close();
});

function links(role: "producer" | "worker") {
  const connection = connect({ url: redis.url, role, log });
  const producer = createProducer(connection);
  const bus = createCancelBus(connection);
  closers.push(async () => {
    await producer.close();
    bus.close();
    await disconnect(connection);
  });
  const store = createFsStore({ root: folder.path });
  return { store, connection, producer, bus, events: createEventLog(connection, log) };
}

/** One gateway on a port of its own. */
async function replica() {
  const { store, producer, bus, events: shared } = links("producer");
  const readers = new Set<AbortSignal>();
  const events: EventLog = {
    ...shared,
    follow(runId, after, signal) {
      readers.add(signal);
      return shared.follow(runId, after, signal);
    },
  };
  const auth = { keys: [], loopback: true };
  const app = await buildApp({
    store,
    producer,
    bus,
    events,
    log,
    auth,
    now: () => new Date(),
    heartbeatMs: 100,
  });
  closers.push(() => app.close());
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return { app, url, store, events, readers };
}

async function createRun(url: string): Promise<string> {
  const answer = await fetch(`${url}/v1/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ guideline: "# Watched\n", start: false }),
  });
  return ((await answer.json()) as { run_id: string }).run_id;
}

interface Message {
  id: string | undefined;
  event: string | undefined;
  data: string;
  /** Of a comment. */
  comment: boolean;
}

/** The messages of an event stream, until it ends or breaks. */
async function* messages(answer: Response): AsyncGenerator<Message> {
  let text = "";
  const body = answer.body?.pipeThrough(new TextDecoderStream());
  if (body === undefined) return;
  try {
    for await (const chunk of body) {
      text += chunk;
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(part)?.[1];
        yield {
          id: field("id"),
          event: field("event"),
          data: field("data") ?? "",
          comment: part.startsWith(":"),
        };
      }
    }
  } catch {
    // The replica is gone: the client goes on elsewhere.
  }
}

function watch(url: string, runId: string, lastEventId?: string): Promise<Response> {
  return fetch(`${url}/v1/runs/${runId}/events`, {
    headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
  });
}

async function finish(at: Awaited<ReturnType<typeof replica>>, runId: string): Promise<void> {
  const ledger = openLedger(at.store, runId);
  const { n } = await ledger.open("start");
  await ledger.close({ n, status: "succeeded", at: new Date().toISOString(), reasons: [] });
  at.events.publish({ run_id: runId, type: "run.finished", status: "succeeded" });
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
      if (seen.length === 150) await finish(second, runId);
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

  it("tells of events that are lost, rather than going on as if nothing were", async () => {
    const at = await replica();
    const runId = await createRun(at.url);
    at.events.publish({ run_id: runId, type: "run.started" });
    await at.events.flush(1_000);
    const lost = await at.events.position(runId);
    await redis.flush();
    await finish(at, runId);
    await at.events.flush(1_000);
    const old = `${Number(lost.split("-")[0]) - 1}-0`;
    const told: (string | undefined)[] = [];
    for await (const { event } of messages(await watch(at.url, runId, old))) told.push(event);
    expect(told.filter((event) => event !== undefined)).toEqual(["gap", "run.finished"]);

    await redis.flush();
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
    const { store, connection, producer, bus, events } = links("worker");
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
    closers.push(() => Promise.all(workers.map((worker) => worker.close(1_000))));
    const runId = await createRun(at.url);

    const call = (name: string, body: object) =>
      fetch(`${at.url}/v1/runs/${runId}/capabilities/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const called = await call("verify_citations", { round: 1 });
    expect(called.status).toBe(202);
    const place = called.headers.get("location") ?? "";
    const waited = await (await fetch(`${at.url}${place}?wait=20`)).json();
    expect(waited).toMatchObject({ status: "succeeded", output: { supported: 1 } });

    const again = await fetch(`${at.url}/v1/jobs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ run_id: runId, capability: "verify_citations", input: { round: 1 } }),
    });
    expect(again.headers.get("location")).toBe(place);
    expect(executions).toBe(1);
    const forced = await call("verify_citations?force=true", { round: 1 });
    expect(forced.headers.get("location")).toBe(place.replace(/-g1$/, "-g2"));

    const failing = await call("critic_evaluate_article", {});
    const failed = await (await fetch(`${at.url}${failing.headers.get("location")}?wait=20`)).json();
    expect(failed).toMatchObject({ status: "failed", error: { code: "invalid_input" } });
    expect((await call("verify_citations", { rounds: 1 })).status).toBe(400);
    expect((await call("ingest_web_page", {})).status).toBe(404);
    expect((await fetch(`${at.url}${place.replace(/-g1$/, "-g9")}`)).status).toBe(404);
  });
});

describe("what is not a request", () => {
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

  it.each([
    ["HELLO\r\n\r\n", 400],
    ["GET /v1/runs HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", 421],
    ["GET /v1/runs HTTP/1.0\r\n\r\n", 400],
    ["GET /v1/runs HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    [`GET /v1/runs HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ["GET /v1/runs?\u0000 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400],
  ])("is answered 4xx (case %#)", async (text, status) => {
    const at = await replica();
    expect(await send(at.url, text)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});
