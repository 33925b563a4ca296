import { once } from "node:events";
import { connect, type Socket } from "node:net";
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
import type { HttpGateway } from "../http/gateway.ts";
import { startFakeWorkers } from "../testing/fake-workers.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";

let place: TestPlace;
let gateway: HttpGateway;
let run_id: string;
let work: { begun: PromiseWithResolvers<void>; gate: PromiseWithResolvers<void>; executions: number };
let rejections: unknown[];
const note = (reason: unknown) => rejections.push(reason);

beforeEach(async () => {
  rejections = [];
  process.on("unhandledRejection", note);
  place = await openTestPlace();
  gateway = await startTestGateway(place, { inlineMs: 25_000 });
  work = { begun: Promise.withResolvers(), gate: Promise.withResolvers(), executions: 0 };
  const workers = startFakeWorkers({
    ...place,
    handlers: {
      read_research_summary: async () => {
        work.executions += 1;
        work.begun.resolve();
        await work.gate.promise;
        return { title: "t", sections: [], sources: [], failures: 0, words: 0 };
      },
    },
  });
  place.closing(
    () => workers.close(),
    () => gateway.close(100),
  );
  run_id = String((await call("create_run", { guideline: "# t\n" }))["run_id"]);
});

afterEach(async () => {
  work.gate.resolve();
  await place.close();
  process.off("unhandledRejection", note);
});

async function call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const messages = await allMessages(
    await postMcp(gateway.url, body, { "mcp-protocol-version": "2025-11-25" }),
  );
  return messages.at(-1)?.result?.structuredContent ?? {};
}

type Era = "legacy" | "modern";

/** A request as bytes: what HTTP clients leave to no one. */
function bytesOf(era: Era): { head: string; body: string } {
  const name = "read_research_summary";
  const meta = { progressToken: 1, ...(era === "modern" ? mcpEnvelope : {}) };
  const params = { name, arguments: { run_id }, _meta: meta };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = [
    "POST /mcp HTTP/1.1",
    `Host: ${new URL(gateway.url).host}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(era === "legacy"
      ? ["MCP-Protocol-Version: 2025-11-25"]
      : [`MCP-Protocol-Version: ${modernMcpVersion}`, "Mcp-Method: tools/call", `Mcp-Name: ${name}`]),
  ];
  return { head: `${headers.join("\r\n")}\r\n\r\n`, body };
}

async function reads(socket: Socket, part: string): Promise<void> {
  let heard = "";
  socket.setEncoding("utf8");
  socket.on("data", (data) => {
    heard += data;
  });
  await eventually(() => heard.includes(part));
}

/** How far a request comes before its connection is reset, and whether its work has been asked for by then. */
const phases: Readonly<Record<string, { asked: boolean; reach(socket: Socket, era: Era): Promise<void> }>> = {
  "in the middle of its body": {
    asked: false,
    async reach(socket, era) {
      const { head, body } = bytesOf(era);
      socket.write(head + body.slice(0, 40));
    },
  },
  "when it is sent": {
    asked: true,
    async reach(socket, era) {
      const { head, body } = bytesOf(era);
      socket.write(head + body);
      await work.begun.promise;
    },
  },
  "with the first progress": {
    asked: true,
    async reach(socket, era) {
      const { head, body } = bytesOf(era);
      socket.write(head + body);
      await reads(socket, "notifications/progress");
      await work.begun.promise;
    },
  },
  "when its work ends": {
    asked: true,
    async reach(socket, era) {
      const { head, body } = bytesOf(era);
      socket.write(head + body);
      await work.begun.promise;
      work.gate.resolve();
    },
  },
  "after its answer": {
    asked: true,
    async reach(socket, era) {
      const { head, body } = bytesOf(era);
      socket.write(head + body);
      await work.begun.promise;
      work.gate.resolve();
      await reads(socket, "structuredContent");
    },
  },
};

describe.each(["legacy", "modern"] as const)("a client of the %s era whose connection is reset", (era) => {
  // The abort of a response, unhandled, has ended servers.
  it.each(Object.keys(phases))("%s leaves no rejection behind, and its job goes on", async (name) => {
    const phase = phases[name];
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    await once(socket, "connect");
    await phase?.reach(socket, era);
    socket.resetAndDestroy();
    await once(socket, "close");
    work.gate.resolve();
    if (phase?.asked === true) {
      const job = await call("job_wait", { job_id: `${run_id}-read_research_summary-g1` });
      expect(job).toMatchObject({ status: "succeeded", output: { title: "t" } });
    }
    expect(await call("read_research_summary", { run_id })).toMatchObject({ status: "succeeded" });
    expect(work.executions).toBe(1);
    expect(rejections).toEqual([]);
  });
});
