import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { silentLogger } from "@proofroom/telemetry";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type StdioGateway, serveStdioGateway } from "./stdio.ts";

let input: PassThrough;
let answers: AsyncIterator<string>;
let gateway: StdioGateway;

beforeEach(() => {
  input = new PassThrough();
  const output = new PassThrough();
  answers = createInterface({ input: output })[Symbol.asyncIterator]();
  const open = () => Promise.reject(new Error("nothing is needed"));
  gateway = serveStdioGateway({ open, log: silentLogger(), input, output });
});

afterEach(() => gateway.close(0));

async function ask(method: string, params: Record<string, unknown>) {
  input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`);
  return JSON.parse((await answers.next()).value);
}

it("params that do not fit a method are an error of the client's, without the words of a check", async () => {
  const clientInfo = { name: "t", version: "1" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  for (const [method, params] of [
    ["initialize", {}],
    ["completion/complete", {}],
    ["completion/complete", { ref: { type: "ref/prompt", name: 1 }, argument: {} }],
    ["prompts/get", { name: "full_writer_instructions", arguments: { run_id: 5 } }],
    ["prompts/get", { name: null }],
    ["resources/read", { uri: 5 }],
    ["resources/read", {}],
  ] as const) {
    const { error } = await ask(method, params);
    expect([method, params, error.code]).toEqual([method, params, -32_602]);
    expect(error.message).toBe(`Invalid params for ${method}: see its schema.`);
  }
});
