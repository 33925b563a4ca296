import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createFsStore } from "@proofroom/artifacts";
import type { RunEvent } from "@proofroom/contracts";
import { describeRun, openLedger } from "@proofroom/runtime/records";
import { makeTempFolder, startTestRedis, type TempFolder } from "@proofroom/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "./testing/run-cli.ts";
import { writeSmallGuideline } from "./testing/small-guideline.ts";

let folder: TempFolder;
let guideline: string;
const closers: (() => Promise<void>)[] = [];

let calmFolder: TempFolder;
let calm: string;

/** The article of a run that nothing disturbs. */
beforeAll(async () => {
  calmFolder = await makeTempFolder();
  const { path } = calmFolder;
  const done = await runCli(["write", await writeSmallGuideline(path), "--out", join(path, "out")], {
    home: path,
  });
  expect(done.stderr).not.toContain("error:");
  calm = await readFile(join(path, "out", "article.md"), "utf8");
});

afterAll(() => calmFolder.close());

beforeEach(async () => {
  folder = await makeTempFolder();
  guideline = await writeSmallGuideline(folder.path);
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await folder.close();
});

/** Starts a run and kills its process, workers and all, when the event comes. */
async function killedAt(
  home: string,
  env: Record<string, string>,
  isMoment: (event: RunEvent) => boolean,
): Promise<string> {
  let runId = "";
  const killed = await runCli(["write", guideline, "--events"], {
    home,
    cwd: folder.path,
    env,
    onEvent(event, child) {
      runId = event.run_id;
      if (isMoment(event)) child.kill("SIGKILL");
    },
  });
  expect(killed.signal).toBe("SIGKILL");
  return runId;
}

/** How often each step of a run was started, and what stood in the ledger of each. */
async function executions(home: string, runId: string) {
  const store = createFsStore({ root: home });
  const ledger = openLedger(store, runId);
  const counted = new Map<string, number>();
  for (const step of (await describeRun(store, runId)).steps) {
    for (let generation = 1; generation <= step.generation; generation += 1) {
      const attempts = await ledger.attempts({ stepId: step.step, generation });
      counted.set(`${step.step}.g${generation}`, attempts.filter(({ event }) => event === "started").length);
    }
  }
  return counted;
}

async function finishedSteps(home: string, runId: string): Promise<string[]> {
  const { steps } = await describeRun(createFsStore({ root: home }), runId);
  return steps
    .filter(({ state }) => state === "done")
    .map(({ step, generation }) => `${step}.g${generation}`);
}

const moments: [string, (event: RunEvent) => boolean][] = [
  [
    "while sources are gathered",
    (event) => event.type === "step.started" && event.step === "process_local_files",
  ],
  [
    "after the outline",
    (event) => event.type === "step.finished" && event.step === "generate_article_outline",
  ],
  [
    "after the assembly",
    (event) => event.type === "step.finished" && event.step === "refine_and_save_article",
  ],
];

describe("a run whose process was killed", { timeout: 120_000 }, () => {
  it.each(moments)(
    "%s is resumed to the same article, and no finished step is executed again",
    async (_name, isMoment) => {
      const home = join(folder.path, "home");
      const runId = await killedAt(home, {}, isMoment);
      const before = await executions(home, runId);
      const finished = await finishedSteps(home, runId);
      expect(finished).toContain("extract_guidelines_urls.g1");
      const resumed = await runCli(["resume", runId, "--out", join(folder.path, "out")], {
        home,
        cwd: folder.path,
      });
      expect(resumed.stderr).not.toContain("error:");
      const after = await executions(home, runId);
      for (const step of finished) expect([step, after.get(step)]).toEqual([step, before.get(step)]);
      expect(await readFile(join(folder.path, "out", "article.md"), "utf8")).toBe(calm);
    },
  );

  it.each([
    ["was kept", false],
    ["lost all of its data", true],
  ])("is resumed from a shared Redis that %s", async (_name, loses) => {
    const home = join(folder.path, "home");
    const redis = await startTestRedis();
    closers.push(() => redis.close());
    const runId = await killedAt(
      home,
      { REDIS_URL: redis.url },
      (event) => event.type === "step.finished" && event.step === "generate_article_outline",
    );
    const before = await executions(home, runId);
    const finished = await finishedSteps(home, runId);
    expect(finished).toContain("generate_article_outline.g1");
    if (loses) await redis.flush();
    const env = { REDIS_URL: redis.url };
    const resumed = await runCli(["resume", runId, "--out", join(folder.path, "out")], {
      home,
      cwd: folder.path,
      env,
    });
    expect(resumed.stderr).not.toContain("error:");
    const after = await executions(home, runId);
    for (const step of finished) expect([step, after.get(step)]).toEqual([step, before.get(step)]);
    expect(await readFile(join(folder.path, "out", "article.md"), "utf8")).toBe(calm);
  });

  it("can still be read when Redis has forgotten everything", async () => {
    const home = join(folder.path, "home");
    const done = await runCli(["write", guideline, "--json"], { home, cwd: folder.path });
    const { run_id: runId } = JSON.parse(done.stdout) as { run_id: string };
    await rm(join(home, "redis"), { recursive: true, force: true });
    const status = await runCli(["status", runId, "--json"], { home, env: { PATH: "/nowhere" } });
    expect(JSON.parse(status.stdout)).toMatchObject({ run_id: runId, status: "succeeded" });
  });
});
