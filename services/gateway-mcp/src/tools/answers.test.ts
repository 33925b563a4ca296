import { openRunArtifacts } from "@proofroom/artifacts";
import {
  createResearchFile,
  draftArticleSection,
  jobId,
  type PublicError,
  publicCapabilities,
  verifyCitations,
} from "@proofroom/contracts";
import type { Producer } from "@proofroom/queue";
import { openLedger } from "@proofroom/runtime/records";
import { silentLogger } from "@proofroom/telemetry";
import { createTestRun, recordCalls } from "@proofroom/testing";
import { beforeEach, describe, expect, it } from "vitest";
import type { GatewayDeps } from "../gateway-deps.ts";
import { jsonLine } from "../json-line.ts";
import { createMemoryStore } from "../testing/memory-store.ts";
import { toolsetNames } from "../toolsets.ts";
import { allTools } from "./all-tools.ts";
import { callTool } from "./call-tool.ts";
import type { ToolAnswer } from "./tool.ts";

const tools = allTools(new Set(toolsetNames));
const error: PublicError = { code: "budget", message: "It is spent.", remedy: "Give more." };
const failing = { stepId: verifyCitations.name, generation: 1 };
const done = { stepId: createResearchFile.name, generation: 1 };

const sha256 = "0".repeat(64);

let store: ReturnType<typeof createMemoryStore>;
let run_id: string;

/** A run that has failed in a step, after another, and has cost something. */
beforeEach(async () => {
  store = createMemoryStore();
  run_id = await createTestRun(store, { tenant: "default" });
  const ledger = openLedger(store, run_id);
  await ledger.open("start");
  await ledger.begin(done);
  await ledger.commit(done, {
    v: 1,
    step_id: done.stepId,
    generation: 1,
    capability: createResearchFile.name,
    step_key: sha256,
    input_sha256: sha256,
    reads: [],
    writes: [{ name: "research.md", version: 1, sha256, size: 4 }],
    output: { sources: 2, words: 300, failures: 1, artifact: "research.md" },
    started_at: "2026-01-01T00:00:00.000Z",
    finished_at: "2026-01-01T00:00:01.000Z",
  });
  await ledger.fail(failing, await ledger.begin(failing), error, { final: true });
  const reasons = ["A citation is not supported.", 'A "reason"\nof two lines.'];
  await ledger.close({
    n: 1,
    status: "failed",
    at: "2026-01-01T00:00:02.000Z",
    step: failing.stepId,
    error,
    reasons,
  });
  await recordCalls(store, run_id);
  await openRunArtifacts(store, run_id).write("research.md", Buffer.from("# R\n"), { author: "person" });
});

async function call(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no ${name}`);
  const producer: Producer = { submit: async () => undefined, close: async () => undefined };
  const events = { publish: () => undefined, position: async () => "0" };
  const bus = { cancel: async () => undefined };
  const deps = { store, tenant: "default", producer, events, bus } as unknown as GatewayDeps;
  const { signal } = new AbortController();
  const open = async () => deps;
  const answer = await callTool(tool, args, {
    open,
    log: silentLogger(),
    inlineMs: 0,
    signal,
    closing: signal,
    progress: null,
  });
  expect(tool.output.safeParse(answer.structured).error?.message, answer.text).toBeUndefined();
  return answer;
}

/** Every text and number in a value, each with the way to it. */
function* leaves(value: unknown, way: string): Generator<[way: string, leaf: string | number]> {
  if (typeof value === "string" || typeof value === "number") yield [way, value];
  else if (typeof value === "object" && value !== null)
    for (const [key, member] of Object.entries(value)) yield* leaves(member, `${way}.${key}`);
}

/** What of the structured part a reader of the text alone does not learn. */
function missingFrom({ text, structured }: ToolAnswer): string[] {
  const tells = (leaf: string | number) => text.includes(String(leaf)) || text.includes(jsonLine(leaf));
  return [...leaves(structured, "")]
    .filter(([, leaf]) => !tells(leaf))
    .map(([way, leaf]) => `${way}: ${leaf}`);
}

const inputs: Readonly<Record<string, () => Record<string, unknown>>> = {
  create_run: () => ({ topic: "Retrying safely", source_urls: ["https://example.org/"] }),
  list_runs: () => ({ limit: 1 }),
  get_run: () => ({ run_id }),
  resume_run: () => ({ run_id }),
  cancel_run: () => ({ run_id }),
  put_artifact: () => ({ run_id, kind: "article", text: "# A\n" }),
  read_artifact: () => ({ run_id, artifact: "research.md", limit: 2 }),
  job_get: () => ({ job_id: jobId(run_id, failing.stepId, 1) }),
  job_wait: () => ({ job_id: jobId(run_id, done.stepId, 1) }),
  job_cancel: () => ({ job_id: jobId(run_id, failing.stepId, 1) }),
  job_list: () => ({ run_id }),
  [draftArticleSection.name]: () => ({ run_id, section_id: "s1" }),
};

/** What capabilities need beside the run. */
const needed: Readonly<Record<string, Record<string, unknown>>> = {
  run_web_research: { queries: ["a"] },
  run_perplexity_research: { queries: ["a"] },
  fix_code_snippets: {},
};

function inputOf(name: string): Record<string, unknown> {
  const known = inputs[name];
  if (known !== undefined) return known();
  expect(publicCapabilities().map((capability) => capability.name)).toContain(name);
  return { run_id, ...needed[name] };
}

describe("the text of an answer", () => {
  it.each(tools.map(({ name }) => name))("of %s tells all that its structured part holds", async (name) => {
    await createTestRun(store, { tenant: "default" });
    const answer = await call(name, inputOf(name));
    expect(Object.keys(answer.structured), answer.text).not.toEqual([]);
    expect(missingFrom(answer)).toEqual([]);
  });

  it("of a list tells the reasons and the error of each run", async () => {
    const { text } = await call("list_runs", {});
    expect(text).toContain(`failed step: ${failing.stepId}\nerror: budget: It is spent.\nremedy: Give more.`);
    expect(text).toContain(
      'reason: "A citation is not supported."\nreason: "A \\"reason\\"\\nof two lines."',
    );
  });

  it("of an error tells its code and its remedy", async () => {
    const { text, isError } = await call("job_get", inputOf("job_get"));
    expect(isError).toBe(true);
    expect(text).toContain("error: budget: It is spent.\nremedy: Give more.");
  });
});
