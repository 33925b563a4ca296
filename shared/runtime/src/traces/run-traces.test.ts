import { createFsStore, type ObjectStore, readObject } from "@proofroom/artifacts";
import { runOptionsSchema } from "@proofroom/contracts";
import type { SpanRecord } from "@proofroom/telemetry";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createRun } from "../create-run.ts";
import { openLedger } from "../ledger.ts";
import { openRunTraces } from "./run-traces.ts";

let folder: TempFolder;
let store: ObjectStore;
let runId: string;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  runId = await createRun(store, {
    title: "A log",
    plan: "write",
    options: runOptionsSchema.parse({}),
    guideline: "# A log\n",
    author: "person",
  });
});

afterEach(() => folder.close());

function span(n: number, name = `span ${n}`): SpanRecord {
  return {
    trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
    span_id: n.toString(16).padStart(16, "0"),
    name,
    kind: "internal",
    service: "test",
    start_us: 1_000_000 - n,
    duration_us: 10,
    failed: false,
    attributes: {},
  };
}

const composed = async () =>
  Buffer.from(await readObject(store, `runs/${runId}/.nova/trace.jsonl`)).toString("utf8");

it("what many processes write at once makes one trace, in the order of time, the same however often", async () => {
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => openRunTraces(store).add(runId, [span(n), span(n + 20)])),
  );
  const traces = openRunTraces(store);
  expect((await traces.read(runId)).map(({ start_us }) => start_us)).toEqual(
    Array.from({ length: 40 }, (_, at) => 1_000_000 - 39 + at),
  );
  await traces.compose(runId);
  const first = await composed();
  await Promise.all([traces.compose(runId), openRunTraces(store).compose(runId)]);
  expect(await composed()).toBe(first);
});

it("what comes after the trace was put together gets into it, from several processes at once", async () => {
  await openRunTraces(store).compose(runId);
  await Promise.all(Array.from({ length: 10 }, (_, n) => openRunTraces(store).add(runId, [span(n)])));
  expect((await composed()).trimEnd().split("\n")).toHaveLength(10);
});

it("while a run moves again nothing is put together until it ends", async () => {
  const traces = openRunTraces(store);
  const ledger = openLedger(store, runId);
  const at = new Date(0).toISOString();
  await ledger.open("start");
  await ledger.close({ n: 1, at, status: "failed", reasons: [] });
  await traces.add(runId, [span(1)]);
  await traces.compose(runId);
  const before = await composed();
  await openLedger(store, runId).open("resume");
  await traces.add(runId, [span(2)]);
  expect(await composed()).toBe(before);
  await openLedger(store, runId).close({ n: 2, at, status: "failed", reasons: [] });
  await traces.add(runId, [span(3)]);
  expect((await composed()).trimEnd().split("\n")).toHaveLength(3);
});

it("a part that is written while the trace is put together is in it", async () => {
  const traces = openRunTraces(store);
  await traces.add(runId, [span(1)]);
  let isLate = true;
  const slow: ObjectStore = {
    ...store,
    async create(key, body, options) {
      if (isLate && key.endsWith("/trace.jsonl")) {
        isLate = false;
        await traces.add(runId, [span(2)]);
      }
      return store.create(key, body, options);
    },
  };
  await openRunTraces(slow).compose(runId);
  expect((await composed()).trimEnd().split("\n")).toHaveLength(2);
});

it("a span that is kept twice is told once, and a line that is none is passed over", async () => {
  const traces = openRunTraces(store);
  await traces.add(runId, [span(1)]);
  await traces.add(runId, [span(1), span(2)]);
  await store.create(`runs/${runId}/.nova/trace/damaged.jsonl`, '{"trace_id": "half');
  expect((await traces.read(runId)).map(({ name }) => name)).toEqual(["span 2", "span 1"]);
});

it("nothing is written where a run was removed meanwhile", async () => {
  for await (const { key } of store.list(`runs/${runId}/`)) await store.delete(key);
  await openRunTraces(store).add(runId, [span(1)]);
  const left: string[] = [];
  for await (const { key } of store.list(`runs/${runId}/`)) left.push(key);
  expect(left).toEqual([]);
});
