import { openRunArtifacts } from "@proofroom/artifacts";
import { draftArticleSection, ingestWebPage } from "@proofroom/contracts";
import { openLedger } from "@proofroom/runtime/records";
import { silentLogger } from "@proofroom/telemetry";
import { createTestRun } from "@proofroom/testing";
import { beforeAll, describe, expect, it } from "vitest";
import type { GatewayDeps } from "../gateway-deps.ts";
import { createMemoryStore } from "../testing/memory-store.ts";
import { toolsetNames } from "../toolsets.ts";
import { allTools } from "./all-tools.ts";
import { callTool } from "./call-tool.ts";
import type { ToolAnswer } from "./tool.ts";

const store = createMemoryStore();
const tools = allTools(new Set(toolsetNames));
const steps = Array.from({ length: 450 }, (_, n) => {
  const { name } = n % 2 === 0 ? draftArticleSection : ingestWebPage;
  return `${name}-${n.toString(16).padStart(16, "0")}`;
});
const artifacts = Array.from({ length: 420 }, (_, n) => `.nova/gathered/page-${n}.json`);
let run_id: string;

beforeAll(async () => {
  run_id = await createTestRun(store);
  const ledger = openLedger(store, run_id);
  for (const stepId of steps) await ledger.begin({ stepId, generation: 1 });
  const kept = openRunArtifacts(store, run_id);
  for (const name of artifacts) await kept.write(name, Buffer.from(name), { author: "person" });
});

async function call(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no ${name}`);
  const deps = { store, tenant: "default" } as unknown as GatewayDeps;
  const { signal } = new AbortController();
  const context = { open: async () => deps, log: silentLogger(), inlineMs: 0, signal, closing: signal };
  return callTool(tool, { run_id, ...args }, { ...context, progress: null });
}

/** Goes through all pages of a list by what each says of the next, in the text as in the structured part. */
async function pages<Item>(
  name: string,
  { list, next, argument }: { list: string; next: string; argument: string },
): Promise<Item[][]> {
  const found: Item[][] = [];
  let from: unknown;
  do {
    const { structured, text } = await call(name, from === undefined ? {} : { [argument]: from });
    found.push(structured[list] as Item[]);
    from = structured[next];
    expect(text.includes(`${next}: `)).toBe(from !== undefined);
    if (from !== undefined) expect(text).toContain(`${next}: ${from}`);
  } while (from !== undefined);
  return found;
}

describe("a run of hundreds of steps and artifacts", () => {
  it("has all its steps named by get_run, over pages that go back", async () => {
    const way = { list: "steps", next: "next_steps_before", argument: "steps_before" };
    const found = await pages<{ step: string }>("get_run", way);
    expect(found.map((page) => page.length)).toEqual([200, 200, 50]);
    const told = found.reverse().flat();
    expect(told.map(({ step }) => step)).toEqual([...steps].sort());
  });

  it("has all its artifacts named by get_run", async () => {
    const way = { list: "artifacts", next: "next_artifacts_after", argument: "artifacts_after" };
    const found = await pages<{ name: string }>("get_run", way);
    expect(found.map((page) => page.length)).toEqual([200, 200, 21]);
    expect(found.flat().map(({ name }) => name)).toEqual([...artifacts, "article_guideline.md"].sort());
  });

  it("has all its jobs listed by job_list", async () => {
    const way = { list: "jobs", next: "next_after", argument: "after" };
    const found = await pages<{ job_id: string }>("job_list", way);
    expect(found.map((page) => page.length)).toEqual([100, 100, 100, 100, 50]);
    expect(new Set(found.flat().map(({ job_id }) => job_id)).size).toBe(450);
  });

  it("says of how many it names some, and repeats no list for who asks for more of the other", async () => {
    const first = await call("get_run", {});
    expect(first.structured).toMatchObject({ steps_total: 450, artifacts_total: 421 });
    expect(first.text).toContain("steps: 200 of 450\n");
    expect(first.text).toContain("artifacts: 200 of 421\n");
    const more = await call("get_run", { steps_before: first.structured["next_steps_before"] });
    expect(more.structured["artifacts"]).toEqual([]);
    expect(more.structured).not.toHaveProperty("next_artifacts_after");
    const other = await call("get_run", { artifacts_after: "a" });
    expect(other.structured["steps"]).toEqual([]);
    expect(other.structured).not.toHaveProperty("next_steps_before");
    expect((await call("job_list", {})).text).toContain("jobs: 100 of 450\n");
  });

  it("has the first of its reasons told, and how many there are", async () => {
    const many = await createTestRun(store);
    const ledger = openLedger(store, many);
    await ledger.open("start");
    const reasons = Array.from({ length: 30 }, (_, n) => `reason ${n}`);
    await ledger.close({
      n: 1,
      status: "succeeded",
      article: "draft",
      at: new Date().toISOString(),
      reasons,
    });
    const { structured, text } = await call("get_run", { run_id: many });
    expect(structured).toMatchObject({ reasons: reasons.slice(0, 20), reasons_total: 30 });
    expect(text).toContain("reasons: the first 20 of 30\n");
  });

  it("refuses a page before a step that there is not", async () => {
    const answer = await call("get_run", { steps_before: "verify_citations" });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining("invalid_input: ") });
  });
});
