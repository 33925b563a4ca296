import { openRunArtifacts } from "@proofroom/artifacts";
import { artifact, nextQueriesSchema, runOptionsSchema, runWebResearch } from "@proofroom/contracts";
import { createRun } from "@proofroom/runtime/records";
import { silentLogger } from "@proofroom/telemetry";
import { beforeEach, describe, expect, it } from "vitest";
import type { GatewayDeps } from "../gateway-deps.ts";
import { createMemoryStore } from "../testing/memory-store.ts";
import { artifactTools } from "./artifact-tools.ts";
import { callTool } from "./call-tool.ts";
import type { ToolAnswer } from "./tool.ts";

const [put] = artifactTools();
let run_id: string;
let store: ReturnType<typeof createMemoryStore>;
let told: (string | undefined)[];

beforeEach(async () => {
  store = createMemoryStore();
  told = [];
  const options = runOptionsSchema.parse({});
  const run = { title: "t", plan: "write", options, guideline: "# t\n", author: "person" } as const;
  run_id = await createRun(store, run);
});

async function call(args: Record<string, unknown>, client?: string): Promise<ToolAnswer> {
  const events = { publish: ({ artifact: name }: { artifact?: string }) => told.push(name) };
  const deps = { store, tenant: "default", events } as unknown as GatewayDeps;
  const { signal } = new AbortController();
  const context = { open: async () => deps, log: silentLogger(), inlineMs: 0, signal, closing: signal };
  if (put === undefined) throw new Error("there is no tool");
  return callTool(put, { run_id, ...args }, { ...context, progress: null, client });
}

function read(name: string): Promise<string> {
  return openRunArtifacts(store, run_id)
    .readPlain(name)
    .then((bytes) => Buffer.from(bytes ?? []).toString());
}

const queries = [
  { question: "How do retries overload a server?", reason: "The guideline asks for causes." },
  { question: "jitter\nbackoff", reason: "" },
];

describe("queries that an agent puts", () => {
  it("are kept as generate_next_queries keeps its own, for programs and for people", async () => {
    const answer = await call({ kind: "queries", queries });
    expect(answer.structured).toMatchObject({ artifact: artifact.nextQueries, version: 1 });
    const kept = nextQueriesSchema.parse(JSON.parse(await read(artifact.nextQueries)));
    expect(kept).toEqual({ queries });
    expect(await read(artifact.nextQueriesText)).toBe(
      "### Candidate Web-Search Queries\n\n1. How do retries overload a server?\nReason: The guideline asks for causes.\n\n2. jitter backoff\nReason: \n",
    );
    expect(told).toEqual([artifact.nextQueries, artifact.nextQueriesText]);
    const questions = kept.queries.map(({ question }) => question);
    expect(runWebResearch.input.safeParse({ queries: questions }).success).toBe(true);
  });

  it.each([
    [{ kind: "queries" }],
    [{ kind: "queries", text: "[]" }],
    [{ kind: "queries", queries: [] }],
    [{ kind: "queries", queries: [{ question: " ", reason: "" }] }],
    [{ kind: "queries", queries: [{ question: "q" }] }],
    [{ kind: "queries", queries: Array.from({ length: 21 }, () => queries[0]) }],
    [{ kind: "queries", queries, text: "t" }],
    [{ kind: "article" }],
    [{ kind: "article", text: " \n" }],
    [{ kind: "article", queries }],
    [{ kind: "article", text: "t", queries }],
  ])("%j is refused, and nothing is kept", async (args) => {
    const answer = await call(args);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain("invalid_input");
    expect(told).toEqual([]);
  });
});

describe("a version", () => {
  it("that several expect at once is written over by one of them", async () => {
    const texts = ["# One\n", "# Two\n", "# Three\n"];
    const puts = texts.map((text) => call({ kind: "article", text, expected_version: 0 }));
    const answers = await Promise.all(puts);
    expect(answers.filter(({ isError }) => isError !== true)).toHaveLength(1);
    expect(told).toEqual([artifact.article]);
  });

  it("is signed with the name of the agent that brought it, and as a person's where it gives none", async () => {
    const text = "# One\n";
    const through = await call({ kind: "article", text }, "claude-code");
    expect(through.structured).toMatchObject({ version: 1, author: "person (through claude-code)" });
    const again = await call({ kind: "article", text }, "another");
    expect(again.structured).toEqual(through.structured);
    expect(told).toEqual([artifact.article]);
    const next = await call({ kind: "article", text: "# Two\n", expected_version: 1 });
    expect(next.structured).toMatchObject({ version: 2, author: "person" });
  });
});
