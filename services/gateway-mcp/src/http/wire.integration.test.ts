import {
  allMessages as all,
  mcpEnvelope as envelope,
  messagesOf,
  modernMcpVersion as modernVersion,
  openTestPlace,
  postMcp as postTo,
  type TestPlace,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startFakeWorkers } from "../testing/fake-workers.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";
import type { HttpGateway } from "./gateway.ts";

let place: TestPlace;
let gateway: HttpGateway;

beforeEach(async () => {
  place = await openTestPlace();
  gateway = await startTestGateway(place);
  place.closing(() => gateway.close(100));
});

afterEach(() => place.close());

const legacy = { "mcp-protocol-version": "2025-11-25" };
function post(body: unknown, headers: Record<string, string>): Promise<Response> {
  return postTo(gateway.url, body, headers);
}

function call(name: string, args: Record<string, unknown>, meta: Record<string, unknown>) {
  return { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name, arguments: args, _meta: meta } };
}

function calling(era: "legacy" | "modern", name: string, args: Record<string, unknown>, token?: unknown) {
  const meta = token === undefined ? {} : { progressToken: token };
  if (era === "legacy") return post(call(name, args, meta), legacy);
  const headers = { "mcp-protocol-version": modernVersion, "mcp-method": "tools/call", "mcp-name": name };
  return post(call(name, args, { ...envelope, ...meta }), headers);
}

async function newRun(): Promise<string> {
  const made = await all(await calling("legacy", "create_run", { guideline: "# t\n" }));
  return String(made.at(-1)?.result?.structuredContent?.["run_id"]);
}

function work(handlers: Parameters<typeof startFakeWorkers>[0]["handlers"] = {}) {
  const running = startFakeWorkers({ ...place, handlers });
  place.closing(() => running.close());
}

describe.each(["legacy", "modern"] as const)("on the wire, %s", (era) => {
  it.each([0, "", "a token", 42])(
    "progress goes under the client's own token %j and ends before the answer",
    async (token) => {
      work();
      const messages = await all(await calling(era, "verify_citations", { run_id: await newRun() }, token));
      const told = messages.filter(({ method }) => method === "notifications/progress");
      expect(told.length).toBeGreaterThan(0);
      expect(told.every(({ params }) => params?.progressToken === token)).toBe(true);
      expect(messages.at(-1)?.result?.structuredContent).toMatchObject({ status: "succeeded" });
    },
  );

  it("nobody is told progress who did not ask for it", async () => {
    work();
    const messages = await all(await calling(era, "verify_citations", { run_id: await newRun() }));
    expect(messages).toHaveLength(1);
  });

  it("first bytes come while the work still goes on: silent connections are cut", async () => {
    const gate = Promise.withResolvers<void>();
    work({
      read_research_summary: async () => {
        await gate.promise;
        return { title: "t", sections: [], sources: [], failures: 0, words: 0 };
      },
    });
    const response = await calling(era, "read_research_summary", { run_id: await newRun() }, 1);
    const messages = messagesOf(response);
    expect((await messages.next()).value).toMatchObject({ params: { progressToken: 1, progress: 1 } });
    gate.resolve();
    const rest = await Array.fromAsync(messages);
    expect(rest.at(-1)?.result?.structuredContent).toMatchObject({ status: "succeeded" });
  });

  it("a process that is told to end hands out handles, and the work goes on", async () => {
    const gate = Promise.withResolvers<void>();
    work({
      read_research_summary: async () => {
        await gate.promise;
        return { title: "t", sections: [], sources: [], failures: 0, words: 0 };
      },
    });
    const response = await calling(era, "read_research_summary", { run_id: await newRun() }, 1);
    const messages = messagesOf(response);
    await messages.next();
    const closed = gateway.close(10_000);
    const rest = await Array.fromAsync(messages);
    const { job_id, status } = rest.at(-1)?.result?.structuredContent ?? {};
    expect(job_id).toContain("read_research_summary");
    expect(["queued", "running"]).toContain(status);
    await closed;
    gate.resolve();
  });
});

describe("the headers of 2026-07-28", () => {
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: envelope } };

  it.each([
    ["that contradict the body", { "mcp-protocol-version": modernVersion, "mcp-method": "tools/call" }],
    ["that are missing", { "mcp-protocol-version": modernVersion }],
  ])("%s are refused with 400", async (_name, headers) => {
    const response = await post(list, headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32_020 } });
  });

  it("of a revision that nobody knows are refused with 400", async () => {
    const unknown = { ...envelope, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    const body = { ...list, params: { _meta: unknown } };
    const response = await post(body, { "mcp-protocol-version": "2099-01-01", "mcp-method": "tools/list" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32_022 } });
  });

  it("that agree are served", async () => {
    const headers = { "mcp-protocol-version": modernVersion, "mcp-method": "tools/list" };
    expect((await all(await post(list, headers))).at(-1)?.result?.tools).toHaveLength(33);
  });
});

describe("a stateless server", () => {
  it("keeps nothing of the calls that it has answered", async () => {
    const { setFlagsFromString } = await import("node:v8");
    const { runInNewContext } = await import("node:vm");
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const used = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const many = async (count: number) => {
      for (let n = 0; n < count; n += 1)
        await all(await calling(n % 2 === 0 ? "modern" : "legacy", "list_runs", {}));
    };
    await many(200);
    const before = used();
    await many(600);
    // A server that stayed with its 33 tools would hold some 100 KB, 60 MB in all.
    expect(used() - before).toBeLessThan(12 * 1024 * 1024);
  });
});
