import { PassThrough } from "node:stream";
import { silentLogger } from "@proofroom/telemetry";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { GatewayDeps } from "../gateway-deps.ts";
import { serveStdioGateway } from "../stdio/stdio-gateway.ts";
import { defineTool } from "../tools/tool.ts";

/** Says how long a tool is to wait for its job. */
const patience = defineTool({
  name: "patience",
  toolset: "runs",
  title: "Patience",
  description: "Tells how long a call waits for its job.",
  input: z.object({ of: z.string().optional() }),
  output: z.object({ inlineMs: z.number() }),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  run: async (_args, { inlineMs }) => ({ text: String(inlineMs), structured: { inlineMs } }),
});

type Message = { id: number; result: Record<string, unknown> };

describe("a call that waits for its job", () => {
  it.each([
    [undefined, 25_000],
    [300, 300],
  ])(
    "with %j set answers with its handle after %i milliseconds at the latest",
    async (inlineMs, expected) => {
      const input = new PassThrough();
      const output = new PassThrough({ encoding: "utf8" });
      const gateway = serveStdioGateway({
        open: async () => ({}) as GatewayDeps,
        log: silentLogger(),
        input,
        output,
        inlineMs,
        extension: { tools: [patience], options: {}, register: () => undefined },
      });
      const answers = output[Symbol.asyncIterator]();
      const ask = async (id: number, method: string, params: object): Promise<Message["result"]> => {
        input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
        return (JSON.parse((await answers.next()).value) as Message).result;
      };
      const clientInfo = { name: "t", version: "1" };
      const told = await ask(1, "initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo,
      });
      const answer = await ask(2, "tools/call", { name: "patience", arguments: {} });
      expect(answer["structuredContent"]).toEqual({ inlineMs: expected });
      if (inlineMs === undefined)
        expect(told["instructions"]).toContain("longer than 25 seconds answers with a job_id");
      await gateway.close(0);
    },
  );
});
