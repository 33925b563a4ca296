import { runOptionsSchema } from "@proofroom/contracts";
import { createRun } from "@proofroom/runtime/records";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GatewayDeps } from "./gateway-deps.ts";
import { createMemoryStore } from "./testing/memory-store.ts";
import { initialize, openStdioPeer, type StdioPeer } from "./testing/stdio-peer.ts";

type Result = Record<string, unknown>;

const store = createMemoryStore();
let ids: string[] = [];
let peer: StdioPeer;

async function growTo(count: number): Promise<void> {
  const options = runOptionsSchema.parse({});
  while (ids.length < count) {
    const run = { title: "t", plan: "write", options, guideline: "# t\n", author: "person" } as const;
    ids.push(await createRun(store, run));
  }
  ids = ids.sort().reverse();
}

async function ask(
  method: string,
  params: Record<string, unknown>,
): Promise<{ result: Result; error?: unknown }> {
  peer.send({ method, params });
  for (;;) {
    const message = await peer.next();
    if ("id" in message) return message;
  }
}

/** How often the store is asked while a request is answered. */
async function costOf(method: string, params: Record<string, unknown>): Promise<number> {
  const before = store.asked;
  await ask(method, params);
  return store.asked - before;
}

beforeEach(async () => {
  // Nothing here needs Redis.
  const deps = { store, tenant: "default" } as unknown as GatewayDeps;
  peer = openStdioPeer({ open: async () => deps });
  await peer.ask(initialize);
});

afterEach(() => peer.gateway.close(0));

const ref = { type: "ref/resource", uri: "run://{run_id}/{+artifact}" };
const requests: [string, Record<string, unknown>][] = [
  ["resources/list", {}],
  ["tools/call", { name: "list_runs", arguments: {} }],
  ["completion/complete", { ref, argument: { name: "run_id", value: "run_" } }],
  [
    "completion/complete",
    {
      ref: { type: "ref/prompt", name: "full_research_instructions" },
      argument: { name: "run_id", value: "run_" },
    },
  ],
];

describe("lists in pages", () => {
  it("follow each other, newest first, without a gap or a repetition", async () => {
    await growTo(150);
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = await ask("resources/list", cursor === undefined ? {} : { cursor });
      const resources = result["resources"] as { uri: string }[];
      expect(resources.length).toBeLessThanOrEqual(40);
      listed.push(...resources.map(({ uri }) => uri));
      cursor = result["nextCursor"] as string | undefined;
    } while (cursor !== undefined);
    expect(listed).toEqual(ids.map((id) => `run://${id}/article_guideline.md`));

    const runs: string[] = [];
    let before: string | undefined;
    do {
      const args = { limit: 50, ...(before === undefined ? {} : { before }) };
      const { result } = await ask("tools/call", { name: "list_runs", arguments: args });
      const page = result["structuredContent"] as { runs: { run_id: string }[]; next_before?: string };
      runs.push(...page.runs.map(({ run_id }) => run_id));
      before = page.next_before;
    } while (before !== undefined);
    expect(runs).toEqual(ids);
  });

  it("take a cursor that is none for an invalid parameter", async () => {
    for (const cursor of ["", "x", "../..", Buffer.from("run_1").toString("base64url"), 5, null, {}, []])
      expect(await ask("resources/list", { cursor })).toMatchObject({ error: { code: -32_602 } });
  });
});

describe("with two thousand runs", () => {
  it("a list or a completion asks the store no more often than with two hundred", async () => {
    await growTo(200);
    const few = [];
    for (const request of requests) few.push(await costOf(...request));
    await growTo(2_000);
    const many = [];
    for (const request of requests) many.push(await costOf(...request));
    expect(many).toEqual(few);
    expect(Math.max(...many)).toBeLessThan(200);
  });

  it("a completion says how many there are, and gives the newest hundred", async () => {
    await growTo(2_000);
    const { result } = await ask(...(requests[2] ?? ["", {}]));
    expect(result["completion"]).toEqual({ values: ids.slice(0, 100), total: 2_000, hasMore: true });
  });
});
