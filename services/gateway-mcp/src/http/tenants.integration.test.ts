import { askAs, eventually, openTestPlace, type TestPlace } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startFakeWorkers } from "../testing/fake-workers.ts";
import { apiKeyOf, startTestGateway } from "../testing/start-test-gateway.ts";
import { allTools } from "../tools/all-tools.ts";
import { toolsetNames } from "../toolsets.ts";
import type { HttpGateway } from "./gateway.ts";

let place: TestPlace;
let gateway: HttpGateway;
let run: string;

beforeEach(async () => {
  place = await openTestPlace();
  const apiKeys = [apiKeyOf("owner", "owner-key"), apiKeyOf("other", "other-key")];
  gateway = await startTestGateway(place, { apiKeys, inlineMs: 0 });
  const workers = startFakeWorkers({ ...place, services: ["critic"] });
  place.closing(
    () => gateway.close(100),
    () => workers.close(),
  );
  run = await fullRun();
});

afterEach(() => place.close());

function ask(who: "owner" | "other", method: string, params: Record<string, unknown>) {
  return askAs(gateway.url, `${who}-key`, method, params);
}

function call(who: "owner" | "other", name: string, args: Record<string, unknown>) {
  return ask(who, "tools/call", { name, arguments: args });
}

const done = "verify_citations";
const queued = "read_research_summary";

/** A run of the owner with an article, a job that has ended and one that waits. */
async function fullRun(): Promise<string> {
  const made = await call("owner", "create_run", { guideline: "# Secret\n" });
  const run_id = String(made.result?.structuredContent?.["run_id"]);
  await call("owner", "put_artifact", { run_id, kind: "article", text: "# Secret\n" });
  await call("owner", done, { run_id });
  await call("owner", queued, { run_id });
  const taskId = `${run_id}-${done}-g1`;
  await eventually(
    async () => (await ask("owner", "tasks/get", { taskId })).result?.["status"] === "completed",
  );
  return run_id;
}

const missing = `run_${"0".repeat(26)}`;

/** What the tools need besides a run or a job. */
const further: Readonly<Record<string, Record<string, unknown>>> = {
  put_artifact: { kind: "article", text: "# Mine now\n" },
  read_artifact: { artifact: "article.md" },
  run_web_research: { queries: ["q"] },
  run_perplexity_research: { queries: ["q"] },
  draft_article_section: { section_id: "one" },
  job_wait: { timeout_ms: 0 },
};

const tools = allTools(new Set(toolsetNames));
const aboutRuns = tools.filter(({ input }) => "run_id" in input.shape).map(({ name }) => name);
const aboutJobs = tools.filter(({ input }) => "job_id" in input.shape).map(({ name }) => name);

/** Every question that names a run or a job. */
function questionsAbout(runId: string): [string, Record<string, unknown>][] {
  const jobs = [done, queued].map((name) => `${runId}-${name}-g1`);
  const uris = ["article.md", "article.md?offset=1", "nothing.md"].map((name) => `run://${runId}/${name}`);
  const template = { type: "ref/resource", uri: "run://{run_id}/{+artifact}" };
  const prompt = { type: "ref/prompt", name: "full_writer_instructions" };
  return [
    ...aboutRuns.map((name): [string, Record<string, unknown>] => [
      "tools/call",
      { name, arguments: { run_id: runId, ...further[name] } },
    ]),
    ...jobs.flatMap((job_id) =>
      aboutJobs.map((name): [string, Record<string, unknown>] => [
        "tools/call",
        { name, arguments: { job_id, ...further[name] } },
      ]),
    ),
    ...jobs.flatMap((taskId) =>
      ["tasks/get", "tasks/cancel", "tasks/update"].map((method): [string, Record<string, unknown>] => [
        method,
        { taskId },
      ]),
    ),
    ...uris.map((uri): [string, Record<string, unknown>] => ["resources/read", { uri }]),
    [
      "completion/complete",
      {
        ref: template,
        argument: { name: "artifact", value: "" },
        context: { arguments: { run_id: runId } },
      },
    ],
    ["completion/complete", { ref: template, argument: { name: "run_id", value: runId } }],
    ["completion/complete", { ref: prompt, argument: { name: "run_id", value: runId } }],
    ["tools/call", { name: "list_runs", arguments: { before: runId } }],
  ];
}

/** What the owner can see of the run. */
async function viewOfOwner() {
  const jobs = [done, queued].map((name) => `${run}-${name}-g1`);
  return Promise.all([
    call("owner", "get_run", { run_id: run }),
    call("owner", "job_list", { run_id: run }),
    ...jobs.map((job_id) => call("owner", "job_get", { job_id })),
    ask("owner", "resources/read", { uri: `run://${run}/article.md` }),
  ]);
}

describe("a tenant", () => {
  it("is told of another's run, job or artifact what they are told of one that is not there, and changes nothing", async () => {
    const before = await viewOfOwner();
    expect(JSON.stringify(before)).toContain("# Secret");
    const foreign = questionsAbout(run);
    const none = questionsAbout(missing);
    expect(foreign.length).toBeGreaterThan(aboutRuns.length + 2 * aboutJobs.length);
    for (const [at, [method, params]] of foreign.entries()) {
      const told = JSON.stringify(await ask("other", method, params)).replaceAll(run, "RUN");
      const [, same = {}] = none[at] ?? [];
      const expected = JSON.stringify(await ask("other", method, same)).replaceAll(missing, "RUN");
      expect([method, params, told]).toEqual([method, params, expected]);
    }
    expect(await viewOfOwner()).toEqual(before);
  });

  it("is told otherwise of a run of their own: the questions could tell", async () => {
    const none = questionsAbout(missing);
    for (const [at, [method, params]] of questionsAbout(run).entries()) {
      const [, same = {}] = none[at] ?? [];
      const told = JSON.stringify(await ask("owner", method, params)).replaceAll(run, "RUN");
      const expected = JSON.stringify(await ask("owner", method, same)).replaceAll(missing, "RUN");
      // Before both runs there is none.
      if (params["name"] !== "list_runs")
        expect([method, params, told]).not.toEqual([method, params, expected]);
    }
  });

  it("has a list of their own", async () => {
    for (const [method, params] of [
      ["tools/call", { name: "list_runs", arguments: {} }],
      ["resources/list", {}],
      [
        "completion/complete",
        {
          ref: { type: "ref/prompt", name: "full_writer_instructions" },
          argument: { name: "run_id", value: "" },
        },
      ],
    ] as const) {
      expect(JSON.stringify(await ask("owner", method, params))).toContain(run);
      expect(JSON.stringify(await ask("other", method, params))).not.toContain(run);
    }
    const made = await call("other", "create_run", { guideline: "# Other\n" });
    const own = String(made.result?.structuredContent?.["run_id"]);
    expect(JSON.stringify(await call("other", "list_runs", {}))).toContain(own);
    expect(JSON.stringify(await call("owner", "list_runs", {}))).not.toContain(own);
  });
});
