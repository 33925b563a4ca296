import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import {
  allMessages,
  eventually,
  mcpEnvelope,
  modernMcpVersion,
  openTestPlace,
  postMcp,
  type TestPlace,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startFakeWorkers } from "../testing/fake-workers.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";

/** A balancer in front of a server, which cuts a connection that is silent for so long (ms). */
async function startProxy(target: string, idleMs: number) {
  const sockets = new Set<Socket>();
  let chunks = 0;
  const server = createServer((client) => {
    const { hostname, port } = new URL(target);
    const upstream = connect(Number(port), hostname);
    sockets.add(client).add(upstream);
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
    client.on("data", (data) => upstream.write(data));
    upstream.setTimeout(idleMs, () => {
      client.destroy();
      upstream.destroy();
    });
    upstream.on("data", (data) => {
      chunks += 1;
      client.write(data);
    });
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    /** Pieces of answers that went through so far. */
    get chunks() {
      return chunks;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

let place: TestPlace;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let gate: PromiseWithResolvers<void>;

beforeEach(async () => {
  place = await openTestPlace();
  // A hundredth of what the service has, for a proxy that is as much less patient.
  const gateway = await startTestGateway(place, {
    inlineMs: 25_000,
    patience: { beginMs: 20, aliveMs: 100 },
  });
  gate = Promise.withResolvers();
  const workers = startFakeWorkers({
    ...place,
    handlers: {
      read_research_summary: async () => {
        await gate.promise;
        return { title: "t", sections: [], sources: [], failures: 0, words: 0 };
      },
    },
  });
  proxy = await startProxy(gateway.url, 1_000);
  place.closing(
    () => workers.close(),
    () => gateway.close(100),
    () => proxy.close(),
  );
});

afterEach(async () => {
  gate.resolve();
  await place.close();
});

// No byte before the result: a balancer that cuts silent connections ends the call, and the client never learns of the job.
describe.each(["legacy", "modern"] as const)("behind a proxy that cuts silent connections, %s", (era) => {
  it("a call that nobody asked progress of is kept open by signs of life for as long as its work takes", async () => {
    const headers = (name: string): Record<string, string> =>
      era === "legacy"
        ? { "mcp-protocol-version": "2025-11-25" }
        : { "mcp-protocol-version": modernMcpVersion, "mcp-method": "tools/call", "mcp-name": name };
    const call = (name: string, args: Record<string, unknown>) => {
      const meta = era === "modern" ? { _meta: mcpEnvelope } : {};
      const params = { name, arguments: args, ...meta };
      return postMcp(proxy.url, { jsonrpc: "2.0", id: 1, method: "tools/call", params }, headers(name));
    };
    const [made] = (await allMessages(await call("create_run", { guideline: "# t\n" }))).slice(-1);
    const { run_id } = made?.result?.structuredContent ?? {};
    const before = proxy.chunks;
    // Its headers have come, before there is anything to tell.
    const response = await call("read_research_summary", { run_id });
    const answered = allMessages(response);
    // More signs of life than fit into the time after which the connection would have been cut.
    await eventually(() => proxy.chunks - before > 20);
    gate.resolve();
    const messages = await answered;
    expect(messages).toHaveLength(1);
    expect(messages[0]?.result?.structuredContent).toMatchObject({ run_id, status: "succeeded" });
  });
});
