import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunDescription } from "@proofroom/runtime/records";
import {
  type FakeProvider,
  geminiBody,
  geminiError,
  geminiLimit,
  makeTempFolder,
  type Script,
  startFakeProvider,
  type TempFolder,
  tavilyBody,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunResult } from "./output/results.ts";
import { withoutColophon } from "./testing/colophon.ts";
import { askedIn, failingAt, goodAnswer, goodGemini, goodOpenAi } from "./testing/good-model.ts";
import { writePlannedGuideline } from "./testing/planned-guideline.ts";
import { runCli } from "./testing/run-cli.ts";

let folder: TempFolder;
const fakes: FakeProvider[] = [];

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.close();
  await folder.close();
});

async function gemini(script: Script = goodGemini) {
  const fake = await startFakeProvider(script);
  fakes.push(fake);
  return { fake, env: { GEMINI_API_KEY: "canary-gemini-7f3a", GEMINI_BASE_URL: fake.base } };
}

async function openAi(script: Script = goodOpenAi) {
  const fake = await startFakeProvider(script);
  fakes.push(fake);
  return { fake, env: { OPENAI_BASE_URL: `${fake.base}/v1`, OPENAI_MODEL: "local" } };
}

const home = () => join(folder.path, "home");

async function cli(args: readonly string[], env: Record<string, string> = {}) {
  const done = await runCli([...args, "--json"], { home: home(), cwd: folder.path, env });
  if (done.stdout === "") throw new Error(done.stderr);
  return { ...done, result: JSON.parse(done.stdout) as RunResult };
}

async function write(env: Record<string, string>, ...args: string[]) {
  const guideline = await writePlannedGuideline(folder.path);
  return cli(["write", guideline, "--out", "out", ...args], env);
}

const text = (...path: string[]) => readFile(join(folder.path, ...path), "utf8");

/** The step of each execution that began. */
async function begun(runId: string): Promise<string[]> {
  const names = await readdir(join(home(), "runs", runId, ".nova", "ledger", "attempts"), {
    recursive: true,
  });
  return names.filter((name) => name.endsWith(".started.json")).map((name) => name.split("/")[0] ?? "");
}

const stagesOf = ({ requests }: FakeProvider) => requests.map((request) => askedIn(request).stage);

/** Nothing was asked for in the same words again. */
function askedOnce(...asked: FakeProvider[]): void {
  const texts = asked.flatMap(({ requests }) => requests.map((request) => askedIn(request).text));
  expect(texts.filter((one, at) => texts.indexOf(one) !== at)).toEqual([]);
}

describe("the example with a model", { timeout: 120_000 }, () => {
  it("is written by it and says so, costs what it says, and is replayed offline to the same bytes", async () => {
    const { fake, env } = await gemini();
    const { result, code } = await cli(["write", "--example", "--out", "out"], env);
    expect({ code, error: result.error, reasons: result.reasons }).toMatchObject({ code: 0, error: null });
    const article = await text("out", "article.md");
    expect(article).toContain("This article was written by a language model");
    expect(article).not.toContain("No model wrote it");
    const page = await text("out", "article.html");
    expect(/<dt>Written by<\/dt><dd>([^<]*)/.exec(page)?.[1]).toMatch(/^gemini-flash/);
    expect(result.cost).toMatchObject({
      calls: fake.requests.length,
      input_tokens: 1_000 * fake.requests.length,
    });
    expect(fake.requests.length).toBeLessThanOrEqual(60);
    const status = await cli(["status", result.run_id], env);
    expect(status.result.cost).toEqual(result.cost);

    await fake.close();
    fakes.length = 0;
    const asked = fake.requests.length;
    const replayed = await cli(["replay", result.run_id, "--out", "again"]);
    expect(replayed.stderr).toContain("the same, byte for byte");
    expect(replayed).toMatchObject({ code: 0, result: { cost: null, reasons: result.reasons } });
    expect(await text("again", "article.md")).toBe(article);
    expect(await text("again", "research.md")).toBe(await text("out", "research.md"));
    expect(withoutColophon(await text("again", "article.html"))).toBe(withoutColophon(page));
    expect(fake.requests).toHaveLength(asked);
    const steps = await begun(replayed.result.run_id);
    expect(steps.filter((step) => /^(?:process_|scrape_|run_|ingest_)/.test(step))).toEqual([]);
    expect(steps.filter((step) => step.startsWith("draft_article_section"))).toHaveLength(5);
  });
});

/** A search that finds one page, whatever it is asked. */
async function searching() {
  const tavily = await startFakeProvider((request) =>
    request.path === "/search" ? { body: tavilyBody("q", [archive]) } : undefined,
  );
  fakes.push(tavily);
  return { tavily, env: { TAVILY_API_KEY: "tvly-canary-5b2e91", TAVILY_BASE_URL: tavily.base } };
}

const archive = {
  url: "https://logs.example.org/archive",
  title: "The archive",
  text: "Logs of a lighthouse are kept for thirty years in the archive of the coast. After thirty years a log is burnt.",
};

/** All that lies with a run below a folder, as one text. */
async function textBelow(...path: string[]): Promise<string> {
  const entries = await readdir(join(home(), ...path), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "utf8")))).join(
    "",
  );
}

describe("a run that searches", { timeout: 120_000 }, () => {
  it("is replayed without a search, a fetch or a call, from what it found", async () => {
    const one = await gemini();
    const { tavily, env: searchEnv } = await searching();
    const env = { ...one.env, ...searchEnv };
    const { result } = await write(env, "--search-rounds", "2");
    expect(result).toMatchObject({ status: "succeeded", error: null });
    expect(tavily.requests).toHaveLength(1);
    expect(await text("out", "research.md")).toContain("kept for thirty years");
    expect(new Set(stagesOf(one.fake))).toContain("selector");
    expect(result.cost).toMatchObject({ searches: { tavily: 1 }, unpriced_searches: 0 });
    const recorded = await textBelow("runs", result.run_id, ".nova", "recordings");
    expect(recorded).toContain("kept for thirty years");
    expect(recorded).not.toContain("5b2e91");
    const asked = one.fake.requests.length;
    const replayed = await cli(["replay", result.run_id, "--out", "again"], env);
    expect(replayed.stderr).toContain("the same, byte for byte");
    expect(replayed.result.reasons).toEqual(result.reasons);
    expect(await text("again", "research.md")).toBe(await text("out", "research.md"));
    // Nor does somebody who asks a replay to search.
    const search = ["tool", "run_web_research", "--run", replayed.result.run_id, "--queries", "How long?"];
    expect((await cli(search, env)).result.error).toMatchObject({ code: "not_found" });
    expect([one.fake.requests.length, tavily.requests.length]).toEqual([asked, 1]);
  });

  it("makes no search beyond its budget, and none twice when that is raised", async () => {
    const one = await gemini();
    const { tavily, env: searchEnv } = await searching();
    const env = { ...one.env, ...searchEnv };
    const stopped = await write(env, "--search-rounds", "1", "--budget", "usd=1,searches=0");
    const { run_id: runId } = stopped.result;
    expect(stopped).toMatchObject({
      code: 4,
      result: { status: "waiting_budget", error: { code: "budget" } },
    });
    expect(tavily.requests).toHaveLength(0);
    const done = await cli(["resume", runId, "--budget", "searches=1", "--out", "out"], env);
    expect(done.result).toMatchObject({
      status: "succeeded",
      error: null,
      cost: { searches: { tavily: 1 } },
    });
    expect(tavily.requests).toHaveLength(1);
    askedOnce(one.fake);
  });

  it("keeps none of its words where nothing is to be recorded, but the count", async () => {
    const one = await gemini();
    const { env } = await searching();
    const { result } = await write({ ...one.env, ...env }, "--search-rounds", "1", "--record", "off");
    expect(result).toMatchObject({ status: "succeeded", cost: { searches: { tavily: 1 } } });
    const recorded = await textBelow("runs", result.run_id, ".nova", "recordings");
    expect(recorded).toContain('"tavily"');
    expect(recorded).not.toMatch(/thirty years|lighthouse/);
  });
});

describe("a run with a budget", { timeout: 120_000 }, () => {
  it("stops before the call that may exceed it, and goes on from there when it is raised", async () => {
    // Each call costs half a cent; the critic's may cost a whole one.
    const { fake, env } = await gemini((request) => ({
      body: geminiBody(goodAnswer(askedIn(request)), { inputTokens: 1_000, outputTokens: 2_000 }),
    }));
    const stopped = await write(env, "--budget", "0.026");
    const { run_id: runId, cost } = stopped.result;
    expect(stopped).toMatchObject({
      code: 4,
      result: { status: "waiting_budget", error: { code: "budget" } },
    });
    expect(stagesOf(fake).sort()).toEqual(["drafter", "drafter", "planner", "repairer"]);
    expect(cost).toMatchObject({ calls: 4, usd: 0.0212 });
    expect((await cli(["status", runId])).result).toMatchObject({ status: "waiting_budget", cost });
    const finished = (await begun(runId)).filter((step) => !step.startsWith("critic_evaluate_article"));

    const same = await cli(["resume", runId, "--out", "out"], env);
    expect(same.result).toMatchObject({
      status: "waiting_budget",
      error: { remedy: expect.stringContaining(`proofroom resume ${runId} --budget`) },
      cost,
    });
    const done = await cli(["resume", runId, "--budget", "0.50", "--out", "out"], env);
    expect(done.result).toMatchObject({ status: "succeeded", error: null });
    askedOnce(fake);
    const isSame = (step: string) => finished.includes(step);
    expect((await begun(runId)).filter(isSame).sort()).toEqual(finished.sort());

    const asked = fake.requests.length;
    const replayed = await cli(["replay", runId, "--out", "again"], env);
    expect(replayed.stderr).toContain("the same, byte for byte");
    expect(fake.requests).toHaveLength(asked);
  });
});

describe("a run whose models fail", { timeout: 120_000 }, () => {
  it("goes on with another provider when the first one's day is used up", async () => {
    let left = 3;
    const one = await gemini((request) => (left-- > 0 ? goodGemini(request) : geminiLimit("PerDay")));
    const two = await openAi();
    const { result } = await write({ ...one.env, ...two.env });
    expect(result).toMatchObject({ status: "succeeded", article: "approved", error: null });
    expect(stagesOf(two.fake)).toEqual(["repairer", "critic"]);
    expect(result.cost?.models).toEqual({ "gemini-flash": 3, compatible: 2 });
  });

  it("waits until there is quota, says so, and goes on from there when another provider is given", async () => {
    let left = 2;
    const one = await gemini((request) => (left-- > 0 ? goodGemini(request) : geminiLimit("PerDay")));
    const guideline = await writePlannedGuideline(folder.path);
    let runId = "";
    const interrupted = await runCli(["write", guideline, "--events", "--out", "out"], {
      home: home(),
      cwd: folder.path,
      env: one.env,
      onEvent(event, child) {
        runId = event.run_id;
        if (event.type === "step.waiting") child.kill("SIGINT");
      },
    });
    expect(interrupted.code).toBe(130);
    const waiting = (await cli(["status", runId])).result as unknown as RunDescription;
    expect(waiting).toMatchObject({ status: "waiting_quota" });
    expect(Date.parse(waiting.waiting_until ?? "")).toBeGreaterThan(Date.now() + 60_000);
    const two = await openAi();
    const { result } = await cli(["resume", runId, "--out", "out"], { ...one.env, ...two.env });
    expect(result).toMatchObject({
      status: "succeeded",
      error: null,
      cost: { models: { "gemini-flash": 2 } },
    });
  });

  it("stops where its key is not accepted, says what is needed, and goes on from there", async () => {
    const refusing = failingAt("critic", Array(8).fill(geminiError(403, "denied")), goodGemini);
    const { fake, env } = await gemini(refusing);
    const stopped = await write(env);
    expect(stopped).toMatchObject({
      code: 4,
      result: { status: "failed", error: { code: "not_configured" } },
    });
    const asked = fake.requests.length;
    const good = await gemini();
    const { result } = await cli(["resume", stopped.result.run_id, "--out", "out"], good.env);
    expect(result).toMatchObject({ status: "succeeded", error: null });
    expect(stagesOf(good.fake)).not.toContain("planner");
    expect(asked).toBeGreaterThan(4);
  });
});

const keys = ["GEMINI", "GROQ", "OPENAI", "TAVILY", "PERPLEXITY", "FIRECRAWL"] as const;

describe("the keys", { timeout: 120_000 }, () => {
  it("stand in no artifact, event, error or log of a run whose providers fail and repeat them", async () => {
    const canary = (name: string) => `canary-${name.toLowerCase()}-5b2e91`;
    const all = keys.map(canary);
    // Whoever is asked tells the key, and fails.
    const telling: Script = ({ headers }) => ({
      status: 500,
      body: {
        error: { code: 500, message: `Key ${all.join(" ")} ${JSON.stringify(headers)}`, status: "INTERNAL" },
      },
    });
    const fake = await startFakeProvider((request) =>
      request.path.includes("generateContent") && askedIn(request).stage === "planner"
        ? goodGemini(request)
        : telling(request),
    );
    fakes.push(fake);
    const env = Object.fromEntries([
      ...keys.map((name) => [`${name}_API_KEY`, canary(name)]),
      ...keys.filter((name) => name !== "FIRECRAWL").map((name) => [`${name}_BASE_URL`, fake.base]),
      ["FIRECRAWL_API_URL", fake.base],
      ["OPENAI_MODEL", "local"],
      ["PROOFROOM_LOG", "debug"],
    ]) as Record<string, string>;
    const guideline = await writePlannedGuideline(folder.path);
    const done = await runCli(["write", guideline, "--events", "--out", "out"], {
      home: home(),
      cwd: folder.path,
      env,
      // All are asked and fail, and the step waits.
      onEvent(event, child) {
        if (event.type === "step.progress" && event.message !== undefined) child.kill("SIGINT");
      },
    });
    const doctor = await runCli(["doctor"], { home: home(), env });
    expect(done.stderr).toContain("a model did not answer");
    expect(fake.requests.length).toBeGreaterThan(3);
    const said = [done.stdout, done.stderr, doctor.stdout, doctor.stderr];
    for (const file of await readdir(folder.path, { recursive: true, withFileTypes: true }))
      if (file.isFile()) said.push(await readFile(join(file.parentPath, file.name), "latin1"));
    expect(said.filter((words) => words.includes("5b2e91"))).toEqual([]);
  });
});
