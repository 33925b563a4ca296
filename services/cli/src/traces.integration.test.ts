import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { createFsStore } from "@proofroom/artifacts";
import { openLedger } from "@proofroom/runtime/records";
import {
  type FakeProvider,
  geminiError,
  makeTempFolder,
  type OtlpReceiver,
  type Script,
  startFakeProvider,
  startOtlpReceiver,
  type TempFolder,
  tavilyBody,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunResult } from "./output/results.ts";
import { askedIn, goodGemini, goodOpenAi } from "./testing/good-model.ts";
import { writePlannedGuideline } from "./testing/planned-guideline.ts";
import { runCli } from "./testing/run-cli.ts";
import { writeSmallGuideline } from "./testing/small-guideline.ts";
import { finishedSteps, keptSpans, orphansOf, unlinkedOf } from "./testing/traced-run.ts";

let folder: TempFolder;
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await folder.close();
});

const home = () => join(folder.path, "home");

async function fake(script: Script): Promise<FakeProvider> {
  const provider = await startFakeProvider(script);
  closers.push(() => provider.close());
  return provider;
}

async function receiver(): Promise<OtlpReceiver> {
  const backend = await startOtlpReceiver();
  closers.push(() => backend.close());
  return backend;
}

async function cli(args: readonly string[], env: Record<string, string> = {}) {
  const done = await runCli([...args, "--json"], { home: home(), cwd: folder.path, env });
  if (done.stdout === "") throw new Error(done.stderr);
  return { ...done, result: JSON.parse(done.stdout) as RunResult };
}

const secrets = {
  GEMINI_API_KEY: "canary-gemini-7f3a9c",
  TAVILY_API_KEY: "canary-tavily-2b8e61",
  OTEL_EXPORTER_OTLP_HEADERS: "x-team=canary-header-3e7f",
};
const langfuseSecret = "canary-langfuse-91d04";
const opikKey = "canary-opik-55aa07";
const querySecret = "canary-query-5c1d9e";

/** A sentence of the page and one of the prompts: what is never told unless it is to be captured. */
const sentence = "Lamps of a lighthouse are trimmed before the evening watch of the keeper begins.";
const prompt = "You plan a technical article";

/** The first model is overloaded when it is asked to plan, the second answers with what is no outline, once. */
function troubled(): Script {
  let spoilt = 0;
  return (request) => {
    if (askedIn(request).stage !== "planner") return goodGemini(request);
    if (!request.path.includes("lite")) return geminiError(503, "UNAVAILABLE");
    spoilt += 1;
    return spoilt === 1 ? { body: { candidates: [] } } : goodGemini(request);
  };
}

/** Writes an article with models, a search and a page, all of them on loopback. */
async function writeWithAll(env: Record<string, string>) {
  const gemini = await fake(troubled());
  const text = `<html><body><article><h1>Lamps</h1><p>${`${sentence} `.repeat(8)}</p></article></body></html>`;
  const site = await fake(() => ({ headers: { "content-type": "text/html" }, body: text }));
  const found = { url: "https://logs.example.org/archive", title: "The archive", text: sentence };
  const tavily = await fake(() => ({ body: tavilyBody("q", [found]) }));
  const guideline = await writePlannedGuideline(folder.path, {
    addresses: [`${site.base}/lamps?token=${querySecret}`],
  });
  return cli(["write", guideline, "--out", "out", "--search-rounds", "1"], {
    ...secrets,
    GEMINI_BASE_URL: gemini.base,
    TAVILY_BASE_URL: tavily.base,
    PROOFROOM_ALLOW_HOSTS: new URL(site.base).host,
    PROOFROOM_ROBOTS: "off",
    PROOFROOM_LOG: "debug",
    ...env,
  });
}

describe("the trace of a run", { timeout: 120_000 }, () => {
  it("is one, whole, at every backend that is configured, and holds neither a payload nor a secret", async () => {
    const [otlp, langfuse, opik] = [await receiver(), await receiver(), await receiver()];
    const { result, stderr } = await writeWithAll({
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp.base,
      LANGFUSE_BASE_URL: langfuse.base,
      LANGFUSE_PUBLIC_KEY: "public",
      LANGFUSE_SECRET_KEY: langfuseSecret,
      OPIK_URL_OVERRIDE: `${opik.base}/api`,
      OPIK_API_KEY: opikKey,
      OPIK_WORKSPACE: "keepers",
      OPIK_PROJECT_NAME: "logs",
    });
    expect(result).toMatchObject({ status: "succeeded", error: null });

    const [request] = otlp.requests;
    expect([request?.path, request?.headers["x-team"]]).toEqual(["/v1/traces", "canary-header-3e7f"]);
    const basic = Buffer.from(`public:${langfuseSecret}`).toString("base64");
    expect(langfuse.requests[0]).toMatchObject({
      path: "/api/public/otel/v1/traces",
      headers: { authorization: `Basic ${basic}` },
    });
    expect(opik.requests[0]).toMatchObject({
      path: "/api/v1/private/otel/v1/traces",
      headers: { authorization: opikKey, "comet-workspace": "keepers", projectname: "logs" },
    });
    // The headers of one backend are nobody else's.
    for (const { headers } of [...langfuse.requests, ...opik.requests])
      expect(headers).not.toHaveProperty("x-team");

    const { spans } = otlp;
    const ids = (all: readonly { spanId: string }[]) => all.map(({ spanId }) => spanId).sort();
    expect(ids(langfuse.spans)).toEqual(ids(spans));
    expect(ids(opik.spans)).toEqual(ids(spans));
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(spans.filter(({ parentId }) => parentId === undefined).map(({ name }) => name)).toEqual([
      "start run",
    ]);
    expect(orphansOf(spans)).toEqual([]);
    expect(unlinkedOf(spans)).toEqual([]);
    const told = spans.map(({ attributes }) => attributes["proofroom.step.id"]);
    expect(told).toEqual(expect.arrayContaining(await finishedSteps(home(), result.run_id)));
    expect(spans.length).toBeLessThan(1_000);
    const names = new Set(spans.map(({ name }) => name));
    for (const name of [
      "retrieval tavily",
      "GET",
      "parse readable-page",
      "put article.html",
      "get article.md",
    ])
      expect(names).toContain(name);

    const bytes = [otlp, langfuse, opik].map((one) => one.bytes().toString("latin1")).join("");
    const kept = await readFile(join(home(), "runs", result.run_id, ".nova", "trace.jsonl"), "latin1");
    for (const hidden of [...Object.values(secrets), "canary", basic, sentence, prompt]) {
      expect(bytes).not.toContain(hidden);
      expect(kept).not.toContain(hidden);
    }
    expect(stderr).not.toContain("canary");
    expect(stderr).not.toContain(sentence);
  });

  it("tells which model answered, what it took, and which calls failed before", async () => {
    const otlp = await receiver();
    const { result } = await writeWithAll({ OTEL_EXPORTER_OTLP_ENDPOINT: otlp.base });
    expect(result).toMatchObject({ status: "succeeded", error: null });
    const { spans } = otlp;
    const ask = spans.find(
      ({ name, attributes }) => name === "ask planner" && attributes["proofroom.model.failovers"] === 1,
    );
    expect(ask?.attributes).toMatchObject({
      "proofroom.model.answered_by": "gemini-flash-lite",
      "proofroom.model.calls": 3,
      "proofroom.model.retries": 1,
    });
    expect(ask?.events.map(({ name }) => name)).toEqual(["failover", "retry"]);
    const calls = spans.filter(({ parentId }) => parentId === ask?.spanId);
    expect(calls.map(({ name, status, attributes }) => [name, status, attributes["error.type"]])).toEqual([
      ["chat gemini-flash-latest", 2, "busy"],
      ["chat gemini-flash-lite-latest", 0, undefined],
      ["chat gemini-flash-lite-latest", 0, undefined],
    ]);
    const answered = calls.at(-1);
    expect(answered?.kind).toBe(3);
    expect(answered?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "gcp.gemini",
      "gen_ai.request.model": "gemini-flash-lite-latest",
      "gen_ai.response.model": "gemini-flash-lite-latest",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 1_000,
      "gen_ai.usage.output_tokens": 200,
      "gen_ai.conversation.id": result.run_id,
    });
    expect(answered?.attributes["gen_ai.usage.cost"]).toBeCloseTo(0.000_18, 8);
    const recording = String(answered?.attributes["proofroom.recording"]);
    const recorded = await readFile(join(home(), "runs", result.run_id, recording), "utf8");
    expect(JSON.parse(recorded)).toMatchObject({ role: "planner", model: "gemini-flash-lite" });
    const spent = spans.reduce(
      (sum, { attributes }) => sum + Number(attributes["gen_ai.usage.cost"] ?? 0),
      0,
    );
    const cost = result.cost as { usd: number };
    expect(spent).toBeCloseTo(cost.usd, 5);
    const searched = spans.filter(({ name }) => name === "retrieval tavily");
    expect(searched.map(({ attributes }) => attributes["gen_ai.usage.cost"])).toContain(0.016);
  });

  it("holds prompts, answers and what is parsed where that is to be captured, and no secret even then", async () => {
    const otlp = await receiver();
    const { result } = await writeWithAll({
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp.base,
      PROOFROOM_CAPTURE_CONTENT: "on",
      // A page that quotes a key of ours.
      SEARXNG_API_KEY: "trimmed before the evening",
    });
    expect(result).toMatchObject({ status: "succeeded", error: null });
    const of = (name: string) => otlp.spans.filter((span) => span.name.startsWith(name));
    const plan = of("chat").find(({ attributes }) =>
      String(attributes["gen_ai.system_instructions"]).includes(prompt),
    );
    expect(JSON.parse(String(plan?.attributes["gen_ai.input.messages"]))).toMatchObject([{ role: "user" }]);
    expect(JSON.parse(String(of("chat").at(-1)?.attributes["gen_ai.output.messages"]))).toMatchObject([
      { role: "assistant", finish_reason: "stop" },
    ]);
    const parsed = of("parse readable-page")[0]?.attributes;
    const redacted = sentence.replace("trimmed before the evening", "[redacted]");
    expect(parsed?.["proofroom.content.input"]).toContain(redacted);
    expect(parsed?.["proofroom.content.output"]).toContain(redacted);
    expect(of("retrieval")[0]?.attributes["gen_ai.retrieval.query.text"]).toContain("lighthouse");
    const bytes = otlp.bytes().toString("utf8");
    for (const secret of [...Object.values(secrets), "trimmed before the evening"])
      expect(bytes).not.toContain(secret);
  });

  it("is kept with the run without any backend, and drawn", async () => {
    const guideline = await writeSmallGuideline(folder.path);
    const { result } = await cli(["write", guideline, "--out", "out"]);
    const spans = await keptSpans(home(), result.run_id);
    expect(spans.length).toBeGreaterThan(20);
    expect(spans).toEqual(spans.toSorted((a, b) => a.start_us - b.start_us));
    const traced = await cli(["trace", result.run_id]);
    expect(traced.result).toMatchObject({
      run_id: result.run_id,
      totals: { spans: spans.length, failed: 0 },
    });
    const drawn = await runCli(["trace", result.run_id], { home: home() });
    expect(drawn.code).toBe(0);
    const [head, ...lines] = drawn.stdout.split("\n");
    expect(head).toMatch(/^Trace [0-9a-f]{32}: \d+ spans, \d/);
    const line = (name: string) => lines.find((one) => one.endsWith(name)) ?? "";
    expect(line("│ start run")).toMatch(/^ {3}0\.00 s +\d+ ms │━+ *│ start run$/);
    expect(line("invoke_workflow write  succeeded, draft") + line("succeeded, approved")).toContain(
      "━━━━━━━━━━",
    );
    expect(line("│     export_publication_bundle")).toMatch(/^ +\d+\.\d\d s +\d+ ms │ +━+ *│/);
    expect(drawn.stdout).not.toContain("put article.html");
    const all = await runCli(["trace", result.run_id, "--all"], { home: home() });
    expect(all.stdout).toMatch(/put article\.html {2}\d+ bytes/);
    // It is book-keeping: whoever exports the run does not want it.
    await cli(["export", result.run_id, "exported"]);
    await expect(readFile(join(folder.path, "exported", ".nova", "trace.jsonl"))).rejects.toThrow("ENOENT");
  });

  it("stays one where the worker is killed in a step, and the run is resumed by another process", async () => {
    const guideline = await writeSmallGuideline(folder.path);
    const otlp = await receiver();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.base };
    let runId = "";
    const killed = await runCli(["write", guideline, "--events"], {
      home: home(),
      cwd: folder.path,
      env,
      onEvent(event, child) {
        runId = event.run_id;
        if (event.type === "step.started" && event.step?.startsWith("draft_article_section"))
          child.kill("SIGKILL");
      },
    });
    expect(killed.signal).toBe("SIGKILL");
    const before = await finishedSteps(home(), runId);
    const { result } = await cli(["resume", runId, "--out", "out"], env);
    expect(result.status).toBe("succeeded");
    const { epoch } = await openLedger(createFsStore({ root: home() }), runId).standing();
    const [, traceId, rootId] = (epoch?.traceparent ?? "").split("-");
    const spans = await keptSpans(home(), runId);
    const attempts = spans.filter(({ kind }) => kind === "consumer");
    expect(new Set(attempts.map(({ trace_id }) => trace_id))).toEqual(new Set([traceId]));
    expect(new Set(attempts.map(({ parent_id }) => parent_id))).toEqual(new Set([rootId]));
    const told = spans.map(({ attributes }) => attributes["proofroom.step.id"]);
    // What the process that was killed had just finished may be untold.
    const later = (await finishedSteps(home(), runId)).filter((step) => !before.includes(step));
    expect(later.length).toBeGreaterThan(5);
    expect(told).toEqual(expect.arrayContaining(later));
    const ids = new Set(spans.map(({ span_id }) => span_id));
    const orphans = spans.filter(({ parent_id }) => parent_id !== undefined && !ids.has(parent_id));
    expect(orphans.map(({ name }) => name)).toEqual([]);
    const resumed = spans.find(({ name }) => name === "resume run");
    expect(resumed?.links).toEqual([{ trace_id: traceId, span_id: rootId }]);
    // What the process that died had not told yet is missing at the backend; what is there hangs together.
    const elsewhere = orphansOf(otlp.spans).filter((name) => !/^(?:process|send|invoke_workflow)/.test(name));
    expect(elsewhere).toEqual([]);
  });

  it.each(["refuses connections", "never answers"])(
    "does not disturb a run whose backend %s",
    async (how) => {
      const silent = createServer(() => undefined);
      await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
      const { port } = silent.address() as { port: number };
      const close = () =>
        new Promise<void>((resolve) => {
          silent.close(() => resolve());
          silent.closeAllConnections();
        });
      if (how === "refuses connections") await close();
      else closers.push(close);
      const guideline = await writeSmallGuideline(folder.path);
      const done = await cli(["write", guideline, "--out", "out"], {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        PROOFROOM_LOG: "warn",
      });
      expect(done.result.status).toBe("succeeded");
      expect(done.stderr.match(/traces are not kept/g)).toHaveLength(1);
      expect((await keptSpans(home(), done.result.run_id)).length).toBeGreaterThan(20);
    },
  );
});

it("every line of the log that a job writes names its run, its job and its trace", async () => {
  const openAi = await fake((request) =>
    askedIn(request).stage === "critic" ? { status: 400, body: {} } : goodOpenAi(request),
  );
  const guideline = await writePlannedGuideline(folder.path);
  const { result, stderr } = await cli(["write", guideline, "--out", "out"], {
    OPENAI_BASE_URL: `${openAi.base}/v1`,
    OPENAI_MODEL: "local",
    PROOFROOM_LOG: "info",
  });
  const lines = stderr
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, string>);
  const ofJobs = lines.filter(({ msg }) => msg === "executed" || msg === "a model did not answer");
  expect(new Set(ofJobs.map(({ msg }) => msg)).size).toBe(2);
  for (const line of ofJobs) {
    expect(line).toMatchObject({ run_id: result.run_id, trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(line["job_id"]).toMatch(new RegExp(`^${result.run_id}-[a-z]`));
  }
  expect(new Set(ofJobs.map(({ trace_id }) => trace_id)).size).toBe(1);
}, 120_000);
