import { join } from "node:path";
import { createFsStore } from "@proofroom/artifacts";
import { openLedger, openRunTraces } from "@proofroom/runtime/records";
import {
  eventually,
  type OtlpReceiver,
  openTestPlace,
  startOtlpReceiver,
  type TestPlace,
} from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listening, type Place, type Program, startGateway, startWorkers } from "./testing/program.ts";

let place: TestPlace;
let backend: OtlpReceiver;
const programs: Program[] = [];

beforeEach(async () => {
  [place, backend] = await Promise.all([openTestPlace(), startOtlpReceiver()]);
  place.closing(() => backend.close());
});

afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.end("SIGKILL")));
  await place.close();
});

const guideline = "# Lighthouse logs\n\n## Outline\n\n### What is logged\n\n- observations\n\n## Sources\n";
const article = `# Notes\n\n${"A lighthouse log records every observation together with the time at which it was made. ".repeat(3)}\n`;

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";

it("a run is one trace from the client's request over the queue to the page, in every process that had a part in it", async () => {
  const there: Place = { home: join(place.root, "home"), redisUrl: place.redisUrl };
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: backend.base };
  const gateway = startGateway(there, env);
  const workers = startWorkers(there, env);
  programs.push(gateway, workers);
  const url = await listening(gateway);

  async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    expect(response.status).toBeLessThan(300);
    return (await response.json()) as { run_id: string };
  }
  const text = guideline.replace("## Sources\n", "## Sources\n\n- `notes.md`\n");
  const { run_id } = await post("/v1/runs", { guideline: text, start: false });
  const upload = await fetch(`${url}/v1/runs/${run_id}/uploads?path=notes.md`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: article,
  });
  expect(upload.status).toBeLessThan(300);
  await post(`/v1/runs/${run_id}/resume`, {}, { traceparent: `00-${traceId}-${parentId}-01` });

  const store = createFsStore({ root: there.home });
  const ledger = openLedger(store, run_id);
  await eventually(async () => (await ledger.outcome()) !== null, 60_000);
  expect(await ledger.outcome()).toMatchObject({ status: "succeeded" });
  // Whatever is under way is told before a process ends.
  for (const program of programs.splice(0)) await program.end("SIGTERM");

  const spans = backend.spans.filter((span) => span.traceId === traceId);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const outer = spans.filter(({ parentId: parent }) => !ids.has(parent ?? ""));
  expect(outer.map(({ name, parentId: parent, service, kind }) => [name, parent, service, kind])).toEqual([
    ["POST /v1/runs/{run_id}/resume", parentId, "proofroom-gateway-rest", 2],
  ]);
  expect(outer[0]?.attributes).toMatchObject({
    "http.request.method": "POST",
    "http.route": "/v1/runs/{run_id}/resume",
    "http.response.status_code": 202,
  });
  // What the gateway sent was taken by another process, and nothing else but requests was sent elsewhere.
  const sent = spans.find(({ service, kind }) => service === "proofroom-gateway-rest" && kind === 4);
  const taken = spans.find(({ links }) => links[0]?.spanId === sent?.spanId);
  expect([taken?.service, taken?.name]).toEqual(["proofroom", "process advance"]);
  const elsewhere = backend.spans.filter((span) => span.traceId !== traceId);
  expect(new Set(elsewhere.map(({ service }) => service))).toEqual(new Set(["proofroom-gateway-rest"]));
  const { steps } = await ledger.load();
  const told = spans.map(({ attributes }) => attributes["proofroom.step.id"]);
  expect(told).toEqual(expect.arrayContaining([...steps.keys()]));
  expect(spans.map(({ name }) => name)).toContain("put article.html");

  const kept = await openRunTraces(store).read(run_id);
  expect(new Set(kept.map(({ service }) => service))).toEqual(
    new Set(["proofroom", "proofroom-gateway-rest"]),
  );
  expect(kept.map(({ span_id }) => span_id).sort()).toEqual([...ids].sort());
  expect(await store.head(`runs/${run_id}/.nova/trace.jsonl`)).not.toBeNull();
}, 120_000);
