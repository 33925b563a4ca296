import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFsStore } from "@proofroom/artifacts";
import { openLinks } from "@proofroom/queue";
import { startRun } from "@proofroom/runtime";
import { openLedger } from "@proofroom/runtime/records";
import { silentLogger } from "@proofroom/telemetry";
import {
  eventually,
  makeTempFolder,
  startFakeProvider,
  startTestRedis,
  type TempFolder,
  type TestRedis,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { prepareExample } from "./create/example.ts";
import { goodOpenAi } from "./testing/good-model.ts";
import { asOtherVersion, otherVersion } from "./testing/other-version.ts";
import { writePlannedGuideline } from "./testing/planned-guideline.ts";
import { runCli } from "./testing/run-cli.ts";
import {
  type Deployment,
  type ServiceProcess,
  startService,
  storeOf,
  untilReady,
} from "./testing/service-process.ts";
import { writeSmallGuideline } from "./testing/small-guideline.ts";
import { startProcess } from "./testing/start-process.ts";

const checkout = fileURLToPath(new URL("../../..", import.meta.url));
const services = ["orchestrator", "research", "writer", "critic", "code-qa"] as const;
let folder: TempFolder;
let redis: TestRedis;
let running: ServiceProcess[];
let closers: (() => Promise<void> | void)[];

beforeEach(async () => {
  running = [];
  closers = [];
  [folder, redis] = await Promise.all([makeTempFolder(), startTestRedis()]);
});

afterEach(async () => {
  await Promise.all(running.map((service) => service.end()));
  for (const close of closers.reverse()) await close();
  await redis.close();
  await folder.close();
});

const deployment = (env: Record<string, string> = {}): Deployment => ({
  folder: folder.path,
  redisUrl: redis.url,
  env,
});

async function start(service: (typeof services)[number], env: Record<string, string> = {}) {
  const started = await startService(service, deployment(env));
  running.push(started);
  return started;
}

/** What a gateway does: it has no workers. */
function door() {
  const store = createFsStore({ root: storeOf(deployment()) });
  const links = openLinks({ url: redis.url, role: "producer", log: silentLogger() });
  closers.push(() => links.close());
  return {
    /** In bytes; 0 is no limit. */
    limitRedis: (bytes: number) => links.connection.config("SET", "maxmemory", bytes),
    start: (runId: string) => startRun({ store, producer: links.producer, events: links.events }, runId),
    outcome: (runId: string) => openLedger(store, runId).outcome(),
    read: (runId: string, name: string) => readFile(join(storeOf(deployment()), "runs", runId, name), "utf8"),
    /** How many versions of each artifact there are: each execution of a step leaves some. */
    async versions(runId: string) {
      const counts: Record<string, number> = {};
      for await (const { key } of store.list(`runs/${runId}/.nova/history/`)) {
        const name = key.slice(0, key.lastIndexOf("/")).replace(`runs/${runId}/`, "");
        counts[name] = (counts[name] ?? 0) + 1;
      }
      return counts;
    },
  };
}

async function create(guideline: string): Promise<string> {
  const env = { PROOFROOM_STORE: `file:${storeOf(deployment())}` };
  const created = await runCli(["create", guideline, "--json"], { home: folder.path, env });
  return (JSON.parse(created.stdout) as { run_id: string }).run_id;
}

describe("services as programs of their own", () => {
  it("write the article that one process writes, share what they count, and leave with 0", {
    timeout: 180_000,
  }, async () => {
    const out = join(folder.path, "out");
    const alone = await runCli(["write", "--example", "--out", out], {
      home: join(folder.path, "alone"),
      cwd: folder.path,
    });
    expect(alone.code).toBe(0);
    const started = await Promise.all(services.map((service) => start(service)));
    await Promise.all(started.map(untilReady));
    const { start: begin, outcome, read } = door();
    const runId = await create(await prepareExample(checkout, AbortSignal.timeout(30_000)));
    await begin(runId);
    await eventually(async () => (await outcome(runId)) !== null, 120_000);
    expect(await outcome(runId)).toMatchObject({ status: "succeeded" });
    expect(await read(runId, "article.md")).toBe(await readFile(join(out, "article.md"), "utf8"));
    const told = await Promise.all(started.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
    const [orchestrator = "", research = "", writer = "", critic = ""] = told;
    expect(research).toContain(
      'proofroom_jobs_ended_total{capability="create_research_file",outcome="done"} 1',
    );
    expect(writer).toContain('proofroom_build_info{service="writer"');
    expect(writer).toContain('proofroom_queue_jobs{queue="draft_article_section",state="waiting"} 0');
    expect(writer).not.toContain('queue="verify_citations"');
    expect(critic).toContain('proofroom_verdicts_total{of="article",verdict="APPROVED"} 1');
    expect(critic).toMatch(/proofroom_verdicts_total\{of="citation",verdict="supported"\} [1-9]/);
    expect(orchestrator).toContain('proofroom_jobs_started_total{capability="advance"}');
    expect(await Promise.all(started.map((service) => service.end()))).toEqual([0, 0, 0, 0, 0]);
    expect(started[2]?.said.some((line) => line.includes(`"run_id":"${runId}"`))).toBe(true);
  });

  it("restarted in turn with work in hand, by another version beside the old one, lose no job and do nothing twice", {
    timeout: 180_000,
  }, async () => {
    const { start: begin, outcome, read, versions } = door();
    /** Each writer asks the model under a path of its own, and is answered once its gate is open. */
    const gates: { readonly opening: PromiseWithResolvers<void>; held: number }[] = [];
    const provider = await startFakeProvider(async (request) => {
      const gate = gates[Number(request.path.split("/")[1])];
      if (gate === undefined) return undefined;
      gate.held += 1;
      await gate.opening.promise;
      return goodOpenAi(request);
    });
    closers.push(() => provider.close());
    const startWriter = async (version: Record<string, string> = {}) => {
      const gate = { opening: Promise.withResolvers<void>(), held: 0 };
      const model = { OPENAI_BASE_URL: `${provider.base}/${gates.push(gate) - 1}/v1`, OPENAI_MODEL: "local" };
      return { gate, service: await start("writer", { ...model, ...version }) };
    };
    const guideline = await writePlannedGuideline(folder.path);
    const runs = await Promise.all(Array.from({ length: 5 }, () => create(guideline)));
    const [calm = "", ...disturbed] = runs;
    const others = services.filter((service) => service !== "writer");
    const [calmWriter] = await Promise.all([startWriter(), ...others.map((service) => start(service))]);
    calmWriter.gate.opening.resolve();
    await begin(calm);
    await eventually(async () => (await outcome(calm)) !== null, 60_000);
    expect(await calmWriter.service.end()).toBe(0);

    const executed: string[] = [];
    let writer = await startWriter();
    await Promise.all(disturbed.map(begin));
    for (const version of [asOtherVersion, {}]) {
      await eventually(() => writer.gate.held > 0, 30_000);
      executed.push(await versionOf(writer.service));
      const next = await startWriter(version);
      await untilReady(next.service);
      const { gate, service } = writer;
      const ended = service.end();
      await eventually(() => service.said.some((line) => line.includes("draining")));
      gate.opening.resolve();
      expect(await ended).toBe(0);
      writer = next;
    }
    await eventually(() => writer.gate.held > 0, 30_000);
    executed.push(await versionOf(writer.service));
    writer.gate.opening.resolve();
    expect(executed).toEqual([packageJson.version, otherVersion, packageJson.version]);
    await eventually(
      async () => (await Promise.all(disturbed.map(outcome))).every((one) => one !== null),
      60_000,
    );
    const article = await read(calm, "article.md");
    const whole = await versions(calm);
    for (const runId of disturbed) {
      expect(await outcome(runId)).toMatchObject({ status: "succeeded" });
      expect(await read(runId, "article.md")).toBe(article);
      expect(await versions(runId)).toEqual(whole);
    }
  });

  it("outlive a full Redis: a gateway answers 503 meanwhile, and the run ends once there is room", {
    timeout: 120_000,
  }, async () => {
    const { outcome, limitRedis } = door();
    const started = await Promise.all(services.map((service) => start(service)));
    await Promise.all(started.map(untilReady));
    const gateway = await startProcess({
      main: fileURLToPath(new URL("../../gateway-rest/src/main.ts", import.meta.url)),
      env: {
        HOME: folder.path,
        PROOFROOM_HOME: join(folder.path, "home"),
        PROOFROOM_STORE: `file:${storeOf(deployment())}`,
        PROOFROOM_REST_PORT: "0",
        REDIS_URL: redis.url,
      },
      readyWhen: /the REST gateway listens/,
    });
    closers.push(() => gateway.close());
    const url = /"url":"([^"]+)"/.exec(gateway.ready)?.[1] ?? "";
    const runId = await create(await writeSmallGuideline(folder.path));
    const resume = () => fetch(`${url}/v1/runs/${runId}/resume`, { method: "POST" });
    await limitRedis(1);
    const refused = await resume();
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: "dependency_down" }]);
    await limitRedis(0);
    await eventually(async () => (await resume()).ok, 20_000);
    await eventually(async () => (await outcome(runId)) !== null, 60_000);
    expect(await outcome(runId)).toMatchObject({ status: "succeeded" });
    expect(started.flatMap(({ said }) => said.filter((line) => line.includes("drain")))).toEqual([]);
  });
});

/** The version that a service tells of itself. */
async function versionOf({ url }: ServiceProcess): Promise<string> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return /proofroom_build_info\{[^}]*version="([^"]+)"/.exec(metrics)?.[1] ?? "";
}

describe("one service", () => {
  it("waits for a Redis that is away: it lives, is not ready, and is as soon as Redis is there", async () => {
    await redis.kill();
    const writer = await start("writer");
    await eventually(async () =>
      (await writer.readiness()).reasons.includes("draft_article_section: disconnected"),
    );
    expect((await fetch(`${writer.url}/livez`)).status).toBe(200);
    expect(await (await fetch(`${writer.url}/metrics`)).text()).toContain("proofroom_queue_up 0");
    await redis.restart();
    await untilReady(writer);
  });

  it("that is told to end while Redis is away ends within its grace", async () => {
    const writer = await untilReady(await start("writer", { PROOFROOM_GRACE: "0.5" }));
    await redis.kill();
    expect(await writer.end()).toBe(0);
  });

  it("is not ready where its store cannot be written to, and says so", async () => {
    await writeFile(storeOf(deployment()), "a file in the way");
    const writer = await start("writer");
    await eventually(async () => (await writer.readiness()).reasons.includes("store: cannot be written to"));
    expect((await writer.readiness()).status).toBe(503);
    expect((await fetch(`${writer.url}/livez`)).status).toBe(200);
  });

  it("serves the queues that it is told to, and no others", async () => {
    const writer = await untilReady(await start("writer", { PROOFROOM_QUEUES: "draft_article_section" }));
    const metrics = await (await fetch(`${writer.url}/metrics`)).text();
    expect(metrics).toContain('proofroom_queue_workers{queue="draft_article_section"} 1');
    expect(metrics).not.toContain("generate_article_outline");
  });
});

describe("a job that does not end in the grace", () => {
  let page: Server;
  let asked: number;
  let answering: boolean;

  beforeEach(async () => {
    asked = 0;
    answering = false;
    page = createServer((request, response) => {
      if (request.url === "/robots.txt") response.writeHead(404).end();
      else {
        asked += 1;
        const text = "A log records every observation together with the time at which it was made. ".repeat(
          9,
        );
        if (answering)
          response.writeHead(200, { "content-type": "text/html" }).end(`<h1>Log</h1><p>${text}</p>`);
      }
    }).listen(0, "127.0.0.1");
    await once(page, "listening");
  });

  afterEach(() => {
    page.close();
    page.closeAllConnections();
  });

  it("is left to others, named, and told by the exit code", { timeout: 180_000 }, async () => {
    const host = `127.0.0.1:${(page.address() as AddressInfo).port}`;
    const env = { PROOFROOM_ALLOW_HOSTS: host, PROOFROOM_GRACE: "0.2" };
    const guideline = join(folder.path, "guideline.md");
    await writeFile(guideline, `# Guideline: A log\n\n## Sources\n\n- http://${host}/page\n`);
    const runId = await create(guideline);
    const { start: begin, outcome, read } = door();
    const [research] = await Promise.all([
      start("research", env),
      ...services.filter((service) => service !== "research").map((service) => start(service)),
    ]);
    await begin(runId);
    await eventually(() => asked > 0);
    expect(await research.end()).toBe(1);
    expect(research.said.at(-1)).toContain(`${runId}-ingest_web_page`);
    answering = true;
    await start("research", env);
    await eventually(async () => (await outcome(runId)) !== null, 60_000);
    expect(await outcome(runId)).toMatchObject({ status: "succeeded" });
    expect(await read(runId, "research.md")).toContain("records every observation");
  });
});
