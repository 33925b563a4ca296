import { afterEach, beforeEach, expect, it } from "vitest";
import { initialize, openStdioPeer, type StdioPeer } from "../testing/stdio-peer.ts";

let peer: StdioPeer;

beforeEach(() => {
  peer = openStdioPeer();
});

afterEach(() => peer.gateway.close(0));

it("params that do not fit a method are an error of the client's, without the words of a check", async () => {
  await peer.ask(initialize);
  for (const [method, params] of [
    ["initialize", {}],
    ["completion/complete", {}],
    ["completion/complete", { ref: { type: "ref/prompt", name: 1 }, argument: {} }],
    ["prompts/get", { name: "full_writer_instructions", arguments: { run_id: 5 } }],
    ["prompts/get", { name: null }],
    ["resources/read", { uri: 5 }],
    ["resources/read", {}],
  ] as const) {
    const { error } = await peer.ask({ method, params });
    expect([method, params, error.code]).toEqual([method, params, -32_602]);
    expect(error.message).toBe(`Invalid params for ${method}: see its schema.`);
  }
});
