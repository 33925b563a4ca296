import {
  allMessages,
  type McpMessage,
  mcpEnvelope,
  modernMcpVersion,
  openTestPlace,
  postMcp,
  type TestPlace,
} from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { HttpGateway } from "../http/gateway.ts";
import { startFakeWorkers } from "../testing/fake-workers.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";

let place: TestPlace;
let gateway: HttpGateway;

beforeEach(async () => {
  place = await openTestPlace();
  gateway = await startTestGateway(place, { inlineMs: 25_000 });
  const workers = startFakeWorkers(place);
  place.closing(
    () => workers.close(),
    () => gateway.close(100),
  );
});

afterEach(() => place.close());

type Era = "legacy" | "modern";

function request(era: Era, id: number, method: string, params: Record<string, unknown>, token?: string) {
  const meta = {
    ...(era === "modern" ? mcpEnvelope : {}),
    ...(token === undefined ? {} : { progressToken: token }),
  };
  const headers =
    era === "legacy"
      ? { "mcp-protocol-version": "2025-11-25" }
      : {
          "mcp-protocol-version": modernMcpVersion,
          "mcp-method": method,
          "mcp-name": String(params["name"] ?? ""),
        };
  const body = { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } };
  return postMcp(gateway.url, body, headers as Record<string, string>);
}

async function call(
  era: Era,
  id: number,
  name: string,
  args: Record<string, unknown>,
  token?: string,
): Promise<(McpMessage & { id?: number })[]> {
  return allMessages(await request(era, id, "tools/call", { name, arguments: args }, token));
}

// Cross-client leak: a server or a transport that is shared hands one caller's messages to another.
it("twenty callers at once, each with its own token, see their own progress and result and nothing else", async () => {
  const callers = Array.from({ length: 20 }, (_, at) => ({
    at,
    era: at % 2 === 0 ? ("legacy" as const) : ("modern" as const),
    token: `token of ${at}`,
  }));
  const runs = await Promise.all(
    callers.map(async ({ era, at }) => {
      const made = await call(era, at, "create_run", { guideline: `# Run of ${at}\n` });
      return String(made.at(-1)?.result?.structuredContent?.["run_id"]);
    }),
  );
  expect(new Set(runs).size).toBe(20);
  const heard = await Promise.all(
    callers.map(({ era, at, token }) => call(era, at, "verify_citations", { run_id: runs[at] }, token)),
  );
  for (const { at, token } of callers) {
    const messages = heard[at] ?? [];
    const answer = messages.at(-1);
    expect(answer).toMatchObject({
      id: at,
      result: { structuredContent: { run_id: runs[at], status: "succeeded" } },
    });
    const told = messages.slice(0, -1);
    expect(told.length).toBeGreaterThan(0);
    for (const { params } of told) expect(params?.progressToken).toBe(token);
    for (const other of runs.filter((id) => id !== runs[at]))
      expect(JSON.stringify(messages)).not.toContain(other);
  }
});

// A stateless transport that is used again answers 500 with an empty body from its second request on.
it.each(["legacy", "modern"] as const)(
  "fifty requests one after another and fifty at once are all answered (%s)",
  async (era) => {
    const one = async (id: number) => {
      const response = await request(era, id, "tools/call", { name: "list_runs", arguments: {} });
      const [message] = (await allMessages(response)).slice(-1);
      return [response.status, (message as { id?: number }).id, message?.result?.structuredContent];
    };
    const expected = (id: number) => [200, id, { runs: [] }];
    for (let id = 0; id < 50; id += 1) expect(await one(id)).toEqual(expected(id));
    const ids = Array.from({ length: 50 }, (_, at) => at);
    expect(await Promise.all(ids.map(one))).toEqual(ids.map(expected));
  },
);
