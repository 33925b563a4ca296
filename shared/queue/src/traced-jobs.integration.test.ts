import { ProofroomError } from "@proofroom/contracts";
import { createTracing, type SpanRecord, silentLogger } from "@proofroom/telemetry";
import { eventually, startTestRedis, type TestRedis } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connect, disconnect } from "./connection.ts";
import { createProducer } from "./producer.ts";
import { createQueuePool } from "./queue-pool.ts";
import { payloadLimit } from "./step-job.ts";
import {
  childCapability,
  localPolicyCapability,
  parentCapability,
  sampleOwner,
  stepJob,
} from "./testing/sample-jobs.ts";
import { WaitForChildren } from "./wait-for-children.ts";
import { startWorker, type WorkerOptions } from "./worker.ts";

const log = silentLogger();
const capability = {
  ...localPolicyCapability,
  policy: { ...localPolicyCapability.policy, attempts: 3, backoffMs: 1 },
};
let redis: TestRedis;
const closers: (() => Promise<unknown> | unknown)[] = [];

beforeEach(async () => {
  redis = await startTestRedis();
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await redis.close();
});

async function setUp({ captureContent = false } = {}) {
  const spans: SpanRecord[] = [];
  const tracing = await createTracing({
    serviceName: "test",
    version: "1",
    destinations: [],
    captureContent,
    secrets: [],
    onTrouble: () => undefined,
    runs: { add: async (_run, some) => void spans.push(...some), compose: async () => undefined },
  });
  const connection = connect({ url: redis.url, role: "worker", log });
  const producer = createProducer(connection, tracing);
  const pool = createQueuePool(connection);
  closers.push(
    () => tracing.close(),
    () => disconnect(connection),
    () => Promise.all([producer.close(), pool.close()]),
  );
  return {
    spans,
    tracing,
    producer,
    pool,
    worker(process: WorkerOptions["process"], served: WorkerOptions["capability"] = capability) {
      const running = startWorker({ connection, capability: served, log, tracing, process });
      closers.push(() => running.close(500));
    },
    of: (kind: SpanRecord["kind"]) => spans.filter((span) => span.kind === kind),
  };
}

it("each attempt of a job is a span of its own, linked to the one that sent it, and says how it ended", async () => {
  const { producer, worker, tracing, of } = await setUp();
  const failures = [
    new ProofroomError({ code: "unreachable", message: "hush", disposition: { kind: "retry" } }),
    new ProofroomError({ code: "quota", message: "hush", disposition: { kind: "wait", delayMs: 1 } }),
    new ProofroomError({ code: "invalid_input", message: "hush" }),
  ];
  worker(async () => {
    throw failures.shift();
  });
  await tracing.span({ name: "request", kind: "server" }, () => producer.submit(capability, stepJob(1)));
  await eventually(() => of("consumer").length === 3);
  const [sent] = of("producer");
  const [request] = of("server");
  expect(sent?.parent_id).toBe(request?.span_id);
  const attempts = of("consumer").toSorted((a, b) => a.start_us - b.start_us);
  expect(new Set(attempts.map(({ trace_id }) => trace_id))).toEqual(new Set([request?.trace_id]));
  for (const attempt of attempts) {
    expect(attempt.parent_id).toBe(request?.span_id);
    expect(attempt.links).toEqual([{ trace_id: sent?.trace_id, span_id: sent?.span_id }]);
  }
  const ends = attempts.map(({ failed, attributes }) => [
    failed,
    attributes["error.type"],
    attributes["proofroom.disposition"],
  ]);
  expect(ends).toEqual([
    [true, "unreachable", "retry"],
    [false, undefined, "wait"],
    [true, "invalid_input", "fail"],
  ]);
  expect(attempts[0]?.attributes).toMatchObject({
    "messaging.system": "bullmq",
    "messaging.operation.name": "process",
    "messaging.destination.name": capability.name,
    "messaging.message.id": `${stepJob(1).run_id}-${stepJob(1).step_id}-g1`,
  });
  expect(JSON.stringify(attempts)).not.toContain("hush");
});

it("a job that is on its way and submitted again is not sent again", async () => {
  const { producer, of, tracing } = await setUp();
  for (let time = 0; time < 3; time += 1) await producer.submit(capability, stepJob(1));
  await tracing.close();
  expect(of("producer")).toHaveLength(1);
});

it("children of a parent belong to what the parent belongs to, and waiting for them is no failure", async () => {
  const { producer, worker, tracing, of } = await setUp();
  worker(async () => ({}), childCapability);
  let entered = 0;
  worker(async ({ job }) => {
    entered += 1;
    if (entered > 1) return {};
    const children = [1, 2].map((n) => stepJob(n, childCapability.name, job.step_id));
    throw new WaitForChildren(
      children.map((child) => ({ capability: childCapability, job: child })),
      sampleOwner,
    );
  }, parentCapability);
  await tracing.span({ name: "request" }, () =>
    producer.submit(parentCapability, stepJob(9, parentCapability.name)),
  );
  await eventually(() => of("consumer").length === 4);
  const [request] = of("internal");
  expect(of("consumer").map(({ parent_id }) => parent_id)).toEqual(Array(4).fill(request?.span_id));
  expect(of("consumer").filter(({ failed }) => failed)).toEqual([]);
  const [waited] = of("consumer").filter(
    ({ attributes }) => attributes["proofroom.disposition"] === "waiting_children",
  );
  const sentByIt = of("producer").filter(({ parent_id }) => parent_id === waited?.span_id);
  expect(sentByIt).toHaveLength(2);
});

it("what a job carries of its trace leaves room for the largest input that travels in it", async () => {
  const { producer, pool, tracing } = await setUp();
  const job = { ...stepJob(1), parent: stepJob(2).step_id, generation: 999_999 };
  const room = payloadLimit - 424;
  const input = { text: "x".repeat(room - Buffer.byteLength('{"text":""}')) };
  await tracing.span({ name: "request" }, () => producer.submit(capability, { ...job, input }));
  const kept = await pool.of(capability).getJob(`${job.run_id}-${job.step_id}-g${job.generation}`);
  expect(kept?.data).toMatchObject({
    traceparent: expect.stringMatching(/^00-/),
    trace_root: expect.any(String),
  });
  expect(Buffer.byteLength(JSON.stringify(kept?.data))).toBeLessThanOrEqual(payloadLimit);
});

it("a worker that is started inside a span does not put its life into that span's trace", async () => {
  const { producer, worker, tracing, spans, of } = await setUp();
  const start = await tracing.span({ name: "start" }, async () => {
    worker(async () => ({}));
    return tracing.ids().trace;
  });
  for (const n of [1, 2, 3]) {
    await tracing.span({ name: "request", kind: "server" }, () => producer.submit(capability, stepJob(n)));
  }
  // Of this one nobody says whose it is.
  await producer.submit(capability, stepJob(4));
  await eventually(() => of("consumer").length === 4);
  await tracing.close();
  expect(start).toMatch(/^[0-9a-f]{32}$/);
  const traces = new Set(spans.map(({ trace_id }) => trace_id));
  expect(traces).not.toContain(start);
  const kindsOf = (trace: string) =>
    spans.flatMap(({ trace_id, kind }) => (trace_id === trace ? [kind] : [])).sort();
  for (const { trace_id } of of("server"))
    expect(kindsOf(trace_id)).toEqual(["consumer", "producer", "server"]);
  expect(new Set(of("consumer").map(({ trace_id }) => trace_id)).size).toBe(4);
});

it("what a job is given and what it answers stand in no span, even where content is captured", async () => {
  const { producer, worker, tracing, spans, of } = await setUp({ captureContent: true });
  worker(async () => ({ record: "canary-result-5b2e91" }));
  const job = { ...stepJob(1), input: { question: "canary-input-5b2e91" } };
  await tracing.span({ name: "request" }, () => producer.submit(capability, job));
  await eventually(() => of("consumer").length === 1);
  await tracing.close();
  expect(spans.length).toBeGreaterThan(2);
  expect(JSON.stringify(spans)).not.toContain("5b2e91");
});
