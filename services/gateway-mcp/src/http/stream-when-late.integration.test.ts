import {
  askModern,
  makeTempFolder,
  mcpEnvelope,
  messagesOf,
  modernMcpVersion,
  postMcp,
  startTestRedis,
} from "@proofroom/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway } from "../testing/start-test-gateway.ts";
import { startWholeGateway, type WholeGateway } from "../testing/whole-gateway.ts";

let gate: PromiseWithResolvers<void>;
let gateway: WholeGateway;
let patientUrl: string;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const folder = await makeTempFolder();
  closers.push(() => folder.close());
  const redis = await startTestRedis();
  closers.push(() => redis.close());
  const read_research_summary = async () => {
    await gate.promise;
    return { title: "t", sections: [], sources: [], failures: 0, words: 0 };
  };
  const place = { root: folder.path, redisUrl: redis.url };
  const patience = { beginMs: 1, aliveMs: 60_000 };
  gateway = await startWholeGateway({ ...place, handlers: { read_research_summary }, patience });
  closers.push(() => gateway.close());
  const patient = await startTestGateway(place, { patience: { beginMs: 60_000, aliveMs: 60_000 } });
  closers.push(() => patient.close(100));
  patientUrl = patient.url;
});

beforeEach(() => {
  gate = Promise.withResolvers();
});

afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

function post(
  url: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
  isModern: boolean,
): Promise<Response> {
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method,
    params: { ...params, ...(isModern && { _meta: mcpEnvelope }) },
  };
  const name = String(params["name"] ?? params["taskId"]);
  const modern = { "mcp-protocol-version": modernMcpVersion, "mcp-method": method, "mcp-name": name };
  return postMcp(url, body, isModern ? modern : { "mcp-protocol-version": "2025-11-25" });
}

describe.each([
  ["2026-07-28", true],
  ["2025-11-25", false],
])("a call of %s that nobody asked progress of", (_revision, isModern) => {
  it("begins its answer while the work still goes on", async () => {
    const guideline = { name: "create_run", arguments: { guideline: "# t\n" } };
    const made = await askModern(gateway.url, "tools/call", guideline, {});
    const { run_id } = made.result?.structuredContent ?? {};
    const call = { name: "read_research_summary", arguments: { run_id } };
    const response = await post(gateway.url, "tools/call", call, isModern);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const [forUs, forMessages] = response.body?.tee() ?? [];
    const begun = await forUs?.getReader().read();
    expect(new TextDecoder().decode(begun?.value)).toMatch(/^: alive\n/);
    gate.resolve();
    const messages = await Array.fromAsync(messagesOf(new Response(forMessages, response)));
    expect(messages).toHaveLength(1);
    expect(messages[0]?.result?.structuredContent).toMatchObject({ run_id, status: "succeeded" });
  });
});

it("what is refused at once has the status of its error", async () => {
  const response = await post(patientUrl, "tasks/get", { taskId: "any" }, true);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: -32_021 } });
});
