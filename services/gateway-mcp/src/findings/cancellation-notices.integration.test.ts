import {
  allMessages,
  eventually,
  mcpEnvelope,
  messagesOf,
  modernMcpVersion,
  openTestPlace,
  postMcp,
  type TestPlace,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HttpGateway } from "../http/gateway.ts";
import { startFakeWorkers } from "../testing/fake-workers.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";

let place: TestPlace;
let replicas: HttpGateway[];
let run_id: string;
let begun: PromiseWithResolvers<AbortSignal>;
let gate: PromiseWithResolvers<void>;

beforeEach(async () => {
  place = await openTestPlace();
  replicas = [await startTestGateway(place), await startTestGateway(place)];
  [begun, gate] = [Promise.withResolvers(), Promise.withResolvers()];
  const workers = startFakeWorkers({
    ...place,
    handlers: {
      read_research_summary: async (_input: never, { signal }) => {
        begun.resolve(signal);
        await gate.promise;
        return { title: "t", sections: [], sources: [], failures: 0, words: 0 };
      },
    },
  });
  place.closing(() => workers.close(), ...replicas.map((one) => () => one.close(100)));
  run_id = String((await call("create_run", { guideline: "# t\n" }))["run_id"]);
});

afterEach(async () => {
  gate.resolve();
  await place.close();
});

const legacy = { "mcp-protocol-version": "2025-11-25" };

function send(at: 0 | 1, message: Record<string, unknown>, headers: Record<string, string> = legacy) {
  return postMcp(replicas[at]?.url ?? "", { jsonrpc: "2.0", ...message }, headers);
}

async function call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const asked = await send(1, { id: 1, method: "tools/call", params: { name, arguments: args } });
  return (await allMessages(asked)).at(-1)?.result?.structuredContent ?? {};
}

// Over stateless HTTP a notice reaches a server that knows nothing of the request, or one that knows another with the same id.
describe.each(["legacy", "modern"] as const)("a notice that a request is cancelled, %s", (era) => {
  it.each([
    ["replica that serves it", 0],
    ["other replica", 1],
  ] as const)("at the %s, stops no job; job_cancel does", async (_where, at) => {
    const name = "read_research_summary";
    const meta = { progressToken: 1, ...(era === "modern" ? mcpEnvelope : {}) };
    const headers = (method: string, of: Record<string, string> = {}): Record<string, string> =>
      era === "legacy" ? legacy : { "mcp-protocol-version": modernMcpVersion, "mcp-method": method, ...of };
    const params = { name, arguments: { run_id }, _meta: meta };
    const asked = await send(
      0,
      { id: 7, method: "tools/call", params },
      headers("tools/call", { "mcp-name": name }),
    );
    const messages = messagesOf(asked);
    await messages.next();
    const signal = await begun.promise;
    const notice = {
      method: "notifications/cancelled",
      params: { requestId: 7, ...(era === "modern" ? { _meta: mcpEnvelope } : {}) },
    };
    const taken = await send(at, notice, headers("notifications/cancelled"));
    await taken.body?.cancel();
    expect(taken.status).toBe(202);
    const job_id = `${run_id}-${name}-g1`;
    expect(await call("job_get", { job_id })).toMatchObject({ status: "running" });
    expect(signal.aborted).toBe(false);
    expect(await call("job_cancel", { job_id })).toMatchObject({ status: "cancelled" });
    await eventually(() => signal.aborted);
    const rest = await Array.fromAsync(messages);
    expect(rest.at(-1)?.result).toMatchObject({ structuredContent: { job_id, status: "cancelled" } });
  });
});
