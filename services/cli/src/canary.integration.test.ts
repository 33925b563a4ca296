import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type FakeProvider,
  type GitServer,
  git,
  makeTempFolder,
  type OtlpReceiver,
  postAs,
  putFiles,
  startFakeProvider,
  startGitServer,
  startGuardedRedis,
  startOtlpReceiver,
  type TempFolder,
} from "@proofroom/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunResult } from "./output/results.ts";
import { canariesIn, canaryOf, filesBelow, repeated, secretSettings } from "./testing/canaries.ts";
import { writePlannedGuideline } from "./testing/planned-guideline.ts";
import { runCli } from "./testing/run-cli.ts";
import { type StartedProcess, startProcess } from "./testing/start-process.ts";
import { startTellingProviders, type TellingProviders } from "./testing/telling-providers.ts";

const mainOf = (service: string) => fileURLToPath(new URL(`../../${service}/src/main.ts`, import.meta.url));
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Each has an address of Redis of its own, which the run cannot have as well. */
const otherRedis = ["REDIS_TLS_KEY", "REDIS_SENTINEL_PASSWORD"];

/** What is asked of the real hosts of others is not asked by a test. */
const elsewhere = ["GITHUB_TOKEN", "GITLAB_TOKEN", "BITBUCKET_TOKEN"];

let folder: TempFolder;
let redis: Awaited<ReturnType<typeof startGuardedRedis>>;
let providers: TellingProviders;
let repository: GitServer;
let bucket: FakeProvider;
let otlp: OtlpReceiver;
let langfuse: OtlpReceiver;
let env: Record<string, string>;
const processes: StartedProcess[] = [];
/** Everything that any process said, and any gateway answered, by where it stood. */
const said = new Map<string, string>();

const server = () => join(folder.path, "server");

/** A repository that only its token opens, on a host that tells the token to whoever shows none. */
async function startPrivateRepository(): Promise<GitServer> {
  const work = join(folder.path, "work");
  const token = canaryOf("PROOFROOM_GIT_TOKENS");
  await putFiles(work, {
    "notes/flow.md":
      "# Flow\n\nA flow meter of the lighthouse log reports the volume that passes a pipe in one second. The keeper of the log closes the valve when the flow exceeds the limit.\n",
    "notes/told.md": `# Told\n\nThe token is ${repeated(token)}. It stands in the second book of the lighthouse log.\n`,
  });
  git(work, "init", "-q", "-b", "main");
  git(work, "add", "-A");
  git(work, "commit", "-q", "-m", "one");
  git(folder.path, "clone", "-q", "--bare", "work", "served/o/r.git");
  const started = await startGitServer(join(folder.path, "served"));
  const authorization = `Basic ${Buffer.from(`oauth2:${token}`).toString("base64")}`;
  started.rules.set("/", (request) =>
    request.authorization === authorization
      ? null
      : { status: 401, headers: { "www-authenticate": `Basic realm="${repeated(token)}"` } },
  );
  return started;
}

/** Each setting with its canary, in the form that the setting has. */
function environment(): Record<string, string> {
  const plain = secretSettings.filter((name) => !otherRedis.includes(name));
  return {
    ...Object.fromEntries(plain.map((name) => [name, canaryOf(name)])),
    ...providers.env,
    REDIS_URL: redis.url,
    PROOFROOM_API_KEYS: `default:${sha256(canaryOf("PROOFROOM_API_KEY"))}`,
    PROOFROOM_OPERATOR_KEYS: sha256(canaryOf("PROOFROOM_OPERATOR_KEYS")),
    PROOFROOM_GIT_TOKENS: `${repository.host}=${canaryOf("PROOFROOM_GIT_TOKENS")}`,
    PROOFROOM_ALLOW_HOSTS: `${repository.host},${new URL(providers.page).host}`,
    PROOFROOM_LOG: "debug",
    PROOFROOM_CAPTURE_CONTENT: "on",
    OPENAI_MODEL: "local",
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp.base,
    OTEL_EXPORTER_OTLP_HEADERS: `x-team=${encodeURIComponent(canaryOf("OTEL_EXPORTER_OTLP_HEADERS"))}`,
    LANGFUSE_BASE_URL: langfuse.base,
  };
}

async function start(service: string, args: readonly string[], more: Record<string, string>, ready: RegExp) {
  const started = await startProcess({
    main: mainOf(service),
    args,
    env: { HOME: folder.path, PROOFROOM_HOME: server(), PROOFROOM_NO_INSTALL: "1", ...env, ...more },
    readyWhen: ready,
  });
  processes.push(started);
  return /http:\/\/[^"\s]+/.exec(started.ready)?.[0] ?? "";
}

beforeAll(async () => {
  folder = await makeTempFolder();
  [redis, providers, otlp, langfuse] = await Promise.all([
    startGuardedRedis(canaryOf("REDIS_URL")),
    startTellingProviders(),
    startOtlpReceiver(),
    startOtlpReceiver(),
  ]);
  repository = await startPrivateRepository();
  bucket = await startFakeProvider(({ headers }) => ({
    status: 403,
    headers: { "x-told": canaryOf("AWS_SESSION_TOKEN") },
    body: `<Error><Code>AccessDenied</Code><Message>${repeated(canaryOf("AWS_SESSION_TOKEN"))} ${JSON.stringify(headers)}</Message></Error>`,
  }));
  env = environment();
});

afterAll(async () => {
  for (const one of processes) await one.close();
  await Promise.all([providers, repository, bucket, otlp, langfuse].map((one) => one.close()));
  await redis.close();
  await folder.close();
});

/** A command with all of the settings; what it says is kept. */
async function cli(args: readonly string[], more: Record<string, string> = {}) {
  const done = await runCli(args, { home: server(), cwd: folder.path, env: { ...env, ...more } });
  said.set(args.join(" "), `${done.stdout}\n${done.stderr}`);
  return done;
}

/** A file that begins as a key does, and is none. */
async function keyFile(canary: string): Promise<string> {
  const path = join(folder.path, "key.pem");
  await writeFile(path, `-----BEGIN PRIVATE KEY-----\n${canary}\n-----END PRIVATE KEY-----\n`);
  return path;
}

/** Where which canaries stand; and the hash by which gateways know their key, which is in a setting of its own. */
function leaksIn(texts: ReadonlyMap<string, string>): string[] {
  const hash = sha256(canaryOf("PROOFROOM_API_KEY"));
  return [...texts].flatMap(([name, text]) =>
    [...canariesIn(text), ...(text.includes(hash) ? ["PROOFROOM_API_KEYS"] : [])].map(
      (setting) => `${name}: ${setting}`,
    ),
  );
}

async function answered(name: string, response: Promise<Response>): Promise<string> {
  const answer = await response;
  const text = await answer.text();
  said.set(name, `${JSON.stringify([...answer.headers])}\n${text}`);
  return text;
}

it("a canary in every secret setting is in no log, trace, recording, artifact or error of a run whose providers fail and repeat their keys", {
  timeout: 240_000,
}, async () => {
  const health = await start("cli", ["serve", "--health-port", "0"], {}, /^Health and metrics/);
  const rest = await start("gateway-rest", [], { PROOFROOM_REST_PORT: "0" }, /"url":"http/);
  const mcp = await start("gateway-mcp", [], { PROOFROOM_MCP_PORT: "0" }, /"serving"/);
  const guideline = await writePlannedGuideline(folder.path, {
    addresses: [
      providers.page,
      `http://${repository.host}/o/r.git`,
      "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    ],
  });
  const out = join(folder.path, "out");
  const write = ["write", guideline, "--events", "--out", out, "--search-rounds", "1", "--remote", rest];
  const done = await cli(write);
  const last = JSON.parse(done.stdout.trim().split("\n").at(-1) ?? "{}") as RunResult;
  expect(last, done.stderr).toMatchObject({ status: "succeeded", error: null });
  const runId = last.run_id;

  const key = canaryOf("PROOFROOM_API_KEY");
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const ask = (path: string, init: RequestInit = {}) =>
    answered(`REST ${init.method ?? "GET"} ${path}`, fetch(`${rest}${path}`, { headers, ...init }));
  for (const at of ["", "/jobs", "/artifacts", "/artifacts/research.md"]) await ask(`/v1/runs/${runId}${at}`);
  await ask("/v1/runs/run_00000000000000000000000000");
  await ask("/v1/runs", { method: "POST", body: "{" });
  await ask("/v1/runs", { headers: { authorization: `Bearer ${key}x` } });
  await ask("/metrics");
  await answered("metrics of the workers", fetch(`${health}/metrics`));
  const tell = (name: string, method: string, params: Record<string, unknown>, token = key) =>
    answered(`MCP ${name}`, postAs(mcp, token, method, params));
  const searching = "run_perplexity_research";
  // The first answer is a refusal that repeats the key, the second a result that does.
  for (const [query, end] of [
    ["How long are logs kept?", "not_configured"],
    ["Who keeps the logs?", "completed"],
  ]) {
    const call = { name: searching, arguments: { run_id: runId, queries: [query] } };
    const { result } = JSON.parse(await tell(`call ${query}`, "tools/call", call)) as {
      result: { taskId: string };
    };
    await ask(`/v1/jobs/${result.taskId}?wait=25`);
    expect(await tell(`task ${query}`, "tasks/get", { taskId: result.taskId })).toContain(end);
  }
  const getRun = { name: "get_run", arguments: { run_id: runId } };
  expect(await tell("run", "tools/call", getRun)).toContain("succeeded");
  await tell("another key", "tools/call", getRun, `${key}x`);
  await tell("no such tool", "tools/call", { name: "no_such", arguments: {} });

  await cli(["status", runId]);
  await cli(["status", runId, "--json"]);
  await cli(["trace", runId, "--all"]);
  await cli(["trace", runId, "--json"]);
  await cli(["doctor"]);
  await cli(["doctor", "--online"], Object.fromEntries(elsewhere.map((name) => [name, ""])));
  await cli(["export", runId, join(folder.path, "exported")]);
  const s3 = { PROOFROOM_STORE: "s3://rooms/articles", S3_ENDPOINT: bucket.base, S3_FORCE_PATH_STYLE: "1" };
  await cli(["list"], { ...s3, AWS_REGION: "us-east-1" });
  for (const one of processes) await one.close();
  for (const [at, one] of processes.entries()) said.set(`stderr of process ${at}`, one.said.join("\n"));

  // Each key was used, and shown to nobody but to whom it belongs.
  const seen = [...providers.fakes].map(([name, { requests }]) => [
    name,
    canariesIn(
      requests
        .map(({ path, query, headers: sent, text }) => JSON.stringify([path, [...query], sent, text]))
        .join("\n"),
    ),
  ]);
  expect(seen).toEqual(
    [...providers.fakes.keys()].map((name) => [name, secretSettings.includes(name) ? [name] : []]),
  );
  expect(canariesIn(JSON.stringify(repository.requests))).toEqual(["PROOFROOM_GIT_TOKENS"]);
  expect(canariesIn(JSON.stringify(otlp.requests))).toEqual(["OTEL_EXPORTER_OTLP_HEADERS"]);
  expect(canariesIn(JSON.stringify(langfuse.requests))).toEqual([
    "LANGFUSE_PUBLIC_KEY",
    "LANGFUSE_SECRET_KEY",
  ]);
  expect(canariesIn(JSON.stringify(bucket.requests))).toEqual(["AWS_ACCESS_KEY_ID", "AWS_SESSION_TOKEN"]);

  said.set("spans sent to OTLP", otlp.bytes().toString("latin1"));
  said.set("spans sent to Langfuse", langfuse.bytes().toString("latin1"));
  // What Redis was ever told to write, also what it has dropped since, stands in its append-only file.
  const written = await filesBelow(redis.folder);
  expect(written.some(([path, text]) => path.endsWith(".aof") && text.includes(runId))).toBe(true);
  for (const place of [server(), out, join(folder.path, "exported")])
    written.push(...(await filesBelow(place)));
  for (const [path, text] of written) said.set(path, `${path}\n${text}`);
  expect(leaksIn(said)).toEqual([]);

  // What repeats the keys got where it was to go.
  const research = await readFile(join(out, "research.md"), "utf8");
  const kept = [
    "kept for thirty years",
    "Lamps of a lighthouse are trimmed",
    "The token is [redacted] [redacted]",
    "The next keeper reads [redacted] [redacted]",
  ];
  expect(kept.filter((text) => !research.includes(text))).toEqual([]);
});

/** What cannot stand in a header, nor in an address. */
const spoilt = (setting: string) => `${canaryOf(setting)}\n[`;
const nowhere = "http://127.0.0.1:9";
const write = () => ["write", join(folder.path, "guideline.md")];

it.each<
  [setting: string, args: () => string[], env: () => Promise<Record<string, string>> | Record<string, string>]
>([
  [
    "REDIS_SENTINEL_PASSWORD",
    write,
    () => ({
      REDIS_URL: "redis+sentinel://127.0.0.1:9/rooms",
      REDIS_SENTINEL_PASSWORD: canaryOf("REDIS_SENTINEL_PASSWORD"),
    }),
  ],
  [
    "REDIS_TLS_KEY",
    write,
    async () => {
      const file = await keyFile(canaryOf("REDIS_TLS_KEY"));
      return { REDIS_URL: "rediss://127.0.0.1:9", REDIS_TLS_KEY: file, REDIS_TLS_CERT: file };
    },
  ],
  ["REDIS_URL", write, () => ({ REDIS_URL: `redis://:${spoilt("REDIS_URL")}@127.0.0.1:9` })],
  ["GEMINI_API_KEY", write, () => ({ GEMINI_API_KEY: spoilt("GEMINI_API_KEY"), GEMINI_BASE_URL: nowhere })],
  [
    "OPIK_API_KEY",
    () => [...write(), "--remote", nowhere],
    () => ({ OPIK_API_KEY: spoilt("OPIK_API_KEY"), OPIK_URL_OVERRIDE: nowhere }),
  ],
  [
    "PROOFROOM_API_KEY",
    () => [...write(), "--remote", nowhere],
    () => ({ PROOFROOM_API_KEY: spoilt("PROOFROOM_API_KEY") }),
  ],
  [
    "AWS_SESSION_TOKEN",
    () => ["list"],
    () => ({
      PROOFROOM_STORE: "s3://rooms/articles",
      S3_ENDPOINT: nowhere,
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: spoilt("AWS_ACCESS_KEY_ID"),
      AWS_SECRET_ACCESS_KEY: spoilt("AWS_SECRET_ACCESS_KEY"),
      AWS_SESSION_TOKEN: spoilt("AWS_SESSION_TOKEN"),
    }),
  ],
])(
  "the canary in %s is in no log, file or error of a command that it is of no use to",
  async (setting, args, settings) => {
    const home = join(folder.path, setting);
    await mkdir(home);
    await writePlannedGuideline(folder.path);
    const more = { PROOFROOM_LOG: "debug", PROOFROOM_CAPTURE_CONTENT: "on", ...(await settings()) };
    const done = await runCli(args(), { home, env: more });
    expect(done.code).not.toBe(0);
    expect(done.stderr).toContain("error:");
    const told = new Map([["what it said", done.stdout + done.stderr], ...(await filesBelow(home))]);
    expect(leaksIn(told)).toEqual([]);
  },
  120_000,
);
