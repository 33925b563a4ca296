import { once } from "node:events";
import { PassThrough } from "node:stream";
import { silentLogger } from "@proofroom/telemetry";
import { describe, expect, it } from "vitest";
import type { Directories } from "./research-directory/directories.ts";
import { serveStdioGateway } from "./stdio.ts";

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

describe("the gateway over stdio", () => {
  it("answers initialize and lists its tools though what they work with never opens", async () => {
    const input = new PassThrough();
    const output = new PassThrough({ encoding: "utf8" });
    const open = () => new Promise<never>(() => undefined);
    const gateway = serveStdioGateway({ open, log: silentLogger(), input, output });
    input.write(`${JSON.stringify(initialize)}\n`);
    const [answer] = await once(output, "data");
    expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { serverInfo: { name: "proofroom" } } });
    expect(JSON.parse(answer).result.instructions.length).toBeLessThan(1_800);
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" })}\n`);
    const [tools] = await once(output, "data");
    expect(JSON.parse(tools).result.tools).toHaveLength(33);
    input.end();
    await gateway.ended;
    await gateway.close(0);
  });

  it("tells a call why what it works with could not be opened, without foreign text, and tries again", async () => {
    const input = new PassThrough();
    const output = new PassThrough({ encoding: "utf8" });
    let opened = 0;
    const open = async () => {
      opened += 1;
      throw new Error("password=hunter2");
    };
    const gateway = serveStdioGateway({ open, log: silentLogger(), input, output });
    input.write(`${JSON.stringify(initialize)}\n`);
    await once(output, "data");
    for (const id of [2, 3]) {
      const call = { jsonrpc: "2.0", id, method: "tools/call", params: { name: "list_runs", arguments: {} } };
      input.write(`${JSON.stringify(call)}\n`);
      const [text] = await once(output, "data");
      expect(JSON.parse(text)).toMatchObject({ id, result: { isError: true } });
      expect(text).toContain("internal: An unexpected error occurred.");
      expect(text).not.toContain("hunter2");
    }
    const ref = { type: "ref/resource", uri: "run://{run_id}/{+artifact}" };
    const uri = `run://run_${"0".repeat(26)}/research.md`;
    for (const [method, params] of [
      ["completion/complete", { ref, argument: { name: "run_id", value: "" } }],
      ["resources/list", {}],
      ["resources/read", { uri }],
    ] as const) {
      input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 4, method, params })}\n`);
      const [text] = await once(output, "data");
      expect(JSON.parse(text)).toMatchObject({ error: { message: expect.stringContaining("internal") } });
      expect(text).not.toContain("hunter2");
    }
    // Once ahead of any call, and once for each.
    expect(opened).toBe(6);
    await gateway.close(0);
  });

  it("refuses arguments that are too large in a tool's words, and ends at what is no message at all", async () => {
    const input = new PassThrough();
    const output = new PassThrough({ encoding: "utf8" });
    const open = () => new Promise<never>(() => undefined);
    const gateway = serveStdioGateway({ open, log: silentLogger(), input, output });
    input.write(`${JSON.stringify(initialize)}\n`);
    await once(output, "data");
    const params = { name: "create_run", arguments: { guideline: "x".repeat(11 * 1024 * 1024) } };
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params })}\n`);
    const [text] = await once(output, "data");
    expect(text).toContain("invalid_input: guideline: Too big");
    for (let n = 0; n < 3; n += 1) input.write("x".repeat(8 * 1024 * 1024));
    await gateway.ended;
    await gateway.close(0);
  });

  it("instructs about a folder in place of a run, where folders stand for runs", async () => {
    const input = new PassThrough();
    const output = new PassThrough({ encoding: "utf8" });
    const open = () => new Promise<never>(() => undefined);
    const directories = {} as Directories;
    const gateway = serveStdioGateway({ open, log: silentLogger(), input, output, directories });
    const ask = async (method: string, params: object) => {
      input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`);
      return JSON.parse((await once(output, "data"))[0]);
    };
    const greeting = await ask("initialize", initialize.params);
    expect(greeting.result.instructions).toContain("research_directory");
    expect(greeting.result.instructions.length).toBeLessThan(1_800);
    const name = "full_publishing_instructions";
    const given = await ask("prompts/get", { name, arguments: { research_directory: "my $& work" } });
    const { text } = given.result.messages[0].content;
    expect(text).toContain('Call `get_run` with `{"research_directory": "my $& work"}`');
    expect(text).not.toContain("run_id");
    for (const args of [{}, { run_id: `run_${"0".repeat(26)}`, research_directory: "a" }]) {
      const refused = await ask("prompts/get", { name, arguments: args });
      expect(refused.error.message).toContain("Either run_id or research_directory is needed.");
    }
    await gateway.close(0);
  });
});
