import { createFsStore } from "@proofroom/artifacts";
import { createTracing, type SpanRecord, silentLogger, type Tracing } from "@proofroom/telemetry";
import { askAs, askModern, eventually, openTestPlace, type TestPlace } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectGateway } from "./connect-gateway.ts";
import type { HttpGateway } from "./http/gateway.ts";
import { startTestGateway } from "./testing/start-test-gateway.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const callerId = "00f067aa0ba902b7";
const traceparent = `00-${traceId}-${callerId}-01`;

let place: TestPlace;
let gateway: HttpGateway;
let tracing: Tracing;
let runId: string;
const spans: SpanRecord[] = [];

beforeEach(async () => {
  spans.length = 0;
  place = await openTestPlace();
  tracing = await createTracing({
    serviceName: "test",
    version: "1",
    destinations: [],
    captureContent: false,
    secrets: [],
    onTrouble: () => undefined,
    runs: { add: async (_run, some) => void spans.push(...some), compose: async () => undefined },
  });
  const store = createFsStore({ root: place.root });
  const connected = connectGateway({ store, redis: { url: place.redisUrl }, log: silentLogger(), tracing });
  gateway = await startTestGateway(place, { deps: connected.deps, inlineMs: 0 });
  place.closing(
    () => tracing.close(),
    () => connected.close(),
    () => gateway.close(100),
  );
  const made = await askAs(gateway.url, null, "tools/call", {
    name: "create_run",
    arguments: { guideline: "# t\n" },
  });
  runId = String(made.result?.structuredContent?.["run_id"]);
});

afterEach(() => place.close());

const params = (name: string) => ({ name, arguments: { run_id: runId }, _meta: { traceparent } });
const server = () => spans.find(({ kind }) => kind === "server");

describe("a call of a tool", () => {
  it.each([
    ["an ordinary client", () => askModern(gateway.url, "tools/call", params("extract_guidelines_urls"), {})],
    [
      "a client that takes tasks",
      () => askAs(gateway.url, null, "tools/call", params("extract_guidelines_urls")),
    ],
  ])("of %s goes on with the trace that its message names, into the queue", async (_who, ask) => {
    await ask();
    await eventually(() => server() !== undefined);
    expect(server()).toMatchObject({
      trace_id: traceId,
      parent_id: callerId,
      name: "tools/call extract_guidelines_urls",
      failed: false,
      attributes: {
        "mcp.method.name": "tools/call",
        "gen_ai.tool.name": "extract_guidelines_urls",
        "gen_ai.operation.name": "execute_tool",
        "jsonrpc.request.id": "1",
      },
    });
    const sent = spans.find(({ kind }) => kind === "producer");
    expect(sent).toMatchObject({ trace_id: traceId, parent_id: server()?.span_id });
  });

  it("that sets a run in motion makes that the root of the run's trace", async () => {
    await askAs(gateway.url, null, "tools/call", params("resume_run"));
    await eventually(() => spans.some(({ name }) => name === "send advance"));
    const moved = spans.find(({ name }) => name === "resume run" || name === "start run");
    expect(moved).toMatchObject({ trace_id: traceId, parent_id: server()?.span_id });
  });
});
