import { mcpEnvelope } from "@proofroom/testing";
import { afterEach, describe, expect, it } from "vitest";
import type { Directories } from "../research-directory/directories.ts";
import { initialize, openStdioPeer, type StdioPeer } from "../testing/stdio-peer.ts";

let peer: StdioPeer;

afterEach(() => peer.gateway.close(0));

describe("the gateway over stdio", () => {
  it("answers initialize and lists its tools though what they work with never opens", async () => {
    peer = openStdioPeer();
    const answer = await peer.ask(initialize);
    expect(answer).toMatchObject({ id: 1, result: { serverInfo: { name: "proofroom" } } });
    expect(answer.result.instructions.length).toBeLessThan(1_800);
    expect((await peer.ask({ id: 2, method: "tools/list" })).result.tools).toHaveLength(33);
    peer.input.end();
    await peer.gateway.ended;
  });

  it("tells a call why what it works with could not be opened, without foreign text, and tries again", async () => {
    let opened = 0;
    peer = openStdioPeer({
      async open() {
        opened += 1;
        throw new Error("password=hunter2");
      },
    });
    await peer.ask(initialize);
    for (const id of [2, 3]) {
      const call = { id, method: "tools/call", params: { name: "list_runs", arguments: {} } };
      const answer = await peer.ask(call);
      expect(answer).toMatchObject({ id, result: { isError: true } });
      expect(JSON.stringify(answer)).toContain("internal: An unexpected error occurred.");
      expect(JSON.stringify(answer)).not.toContain("hunter2");
    }
    const ref = { type: "ref/resource", uri: "run://{run_id}/{+artifact}" };
    const uri = `run://run_${"0".repeat(26)}/research.md`;
    for (const [method, params] of [
      ["completion/complete", { ref, argument: { name: "run_id", value: "" } }],
      ["resources/list", {}],
      ["resources/read", { uri }],
    ] as const) {
      const answer = await peer.ask({ id: 4, method, params });
      expect(answer).toMatchObject({ error: { message: expect.stringContaining("internal") } });
      expect(JSON.stringify(answer)).not.toContain("hunter2");
    }
    // Once ahead of any call, and once for each.
    expect(opened).toBe(6);
  });

  it("refuses arguments that are too large in a tool's words", async () => {
    peer = openStdioPeer();
    await peer.ask(initialize);
    const params = { name: "create_run", arguments: { guideline: "x".repeat(11 * 1024 * 1024) } };
    const answer = await peer.ask({ id: 2, method: "tools/call", params });
    expect(answer.result.content[0].text).toContain("invalid_input: guideline: Too big");
  });

  it.each([
    ["legacy", initialize],
    ["modern", { ...initialize, method: "server/discover", params: { _meta: mcpEnvelope } }],
  ])("answers a message of the %s era that is longer than any may be, and goes on", async (_era, opening) => {
    peer = openStdioPeer();
    const tooLong = { code: -32_600, message: "A message may have 16777216 bytes at most." };
    const text = "x".repeat(8 * 1024 * 1024);
    for (const piece of ["x", text, text, "\n"]) peer.input.write(piece);
    expect(await peer.next()).toEqual({ jsonrpc: "2.0", error: tooLong });
    expect(await peer.ask(opening)).toMatchObject({ id: 1, result: {} });
    const guideline = `${text}"id":7,${text}`;
    const params = { ...opening.params, name: "create_run", arguments: { guideline } };
    // As the SDK's clients order them.
    peer.input.write(`${JSON.stringify({ method: "tools/call", params, jsonrpc: "2.0", id: "b" })}\n`);
    expect(await peer.next()).toEqual({ jsonrpc: "2.0", id: "b", error: tooLong });
    expect((await peer.ask({ ...opening, id: 3, method: "tools/list" })).result.tools).toHaveLength(33);
    peer.input.end();
    await peer.gateway.ended;
  });

  it("instructs about a folder in place of a run, where folders stand for runs", async () => {
    peer = openStdioPeer({ directories: {} as Directories });
    const greeting = await peer.ask(initialize);
    expect(greeting.result.instructions).toContain("research_directory");
    expect(greeting.result.instructions.length).toBeLessThan(1_800);
    const name = "full_publishing_instructions";
    const ask = (args: object) => peer.ask({ method: "prompts/get", params: { name, arguments: args } });
    const { text } = (await ask({ research_directory: "my $& work" })).result.messages[0].content;
    expect(text).toContain('Call `get_run` with `{"research_directory": "my $& work"}`');
    expect(text).not.toContain("run_id");
    for (const args of [{}, { run_id: `run_${"0".repeat(26)}`, research_directory: "a" }]) {
      expect((await ask(args)).error.message).toContain("Either run_id or research_directory is needed.");
    }
  });
});
