import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  connectLegacyHttp,
  connectLegacyStdio,
  connectTasks,
  followPrompts,
  makeTempFolder,
  type Peer,
  startTestRedis,
  type TempFolder,
} from "@proofroom/testing";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { withoutColophon } from "./testing/colophon.ts";
import { exampleSources } from "./testing/example-sources.ts";
import { startRoundRobin } from "./testing/round-robin.ts";
import { runCli } from "./testing/run-cli.ts";
import { type StartedProcess, startProcess } from "./testing/start-process.ts";

const cliMain = fileURLToPath(new URL("main.ts", import.meta.url));
const gatewayMain = fileURLToPath(new URL("../../gateway-mcp/src/main.ts", import.meta.url));

interface Results {
  article: string;
  page: string;
}

let written: Results;
let folder: TempFolder;
const closers: (() => Promise<unknown>)[] = [];

/** What the orchestrator makes of the example: what an agent's article must be equal to. */
beforeAll(async () => {
  const calm = await makeTempFolder();
  const out = join(calm.path, "out");
  const done = await runCli(["write", "--example", "--json", "--out", out], { home: calm.path });
  expect(done.stderr).not.toContain("error:");
  written = {
    article: await readFile(join(out, "article.md"), "utf8"),
    page: withoutColophon(await readFile(join(out, "article.html"), "utf8")),
  };
  await calm.close();
}, 120_000);

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await folder.close();
});

/** An artifact whole, page by page. */
async function readWhole(peer: Peer, run_id: string, artifact: string): Promise<string> {
  let text = "";
  for (let offset: unknown = 0; offset !== undefined; ) {
    const { structuredContent: page } = await peer.call("read_artifact", { run_id, artifact, offset });
    text += String(page?.["text"]);
    offset = page?.["next_offset"];
  }
  return text;
}

/** From create_run to article.html, by nothing but tools and prompts. */
async function wholeSession(peer: Peer): Promise<Results> {
  const made = await peer.call("create_run", await exampleSources(AbortSignal.timeout(20_000)));
  const run_id = String(made.structuredContent?.["run_id"]);
  await followPrompts(peer, { run_id });
  return {
    article: await readWhole(peer, run_id, "article.md"),
    page: withoutColophon(await readWhole(peer, run_id, "article.html")),
  };
}

/** A Redis, and every service on it in a process of their own. */
async function startWorkers(): Promise<{ REDIS_URL: string; PROOFROOM_HOME: string; HOME: string }> {
  const redis = await startTestRedis();
  closers.push(() => redis.close());
  const env = { REDIS_URL: redis.url, PROOFROOM_HOME: folder.path, HOME: folder.path };
  const workers = await startProcess({ main: cliMain, args: ["serve"], env, readyWhen: /^Serving/ });
  closers.push(() => workers.close());
  return env;
}

async function startGateway(env: Record<string, string>): Promise<StartedProcess & { url: string }> {
  const gateway = await startProcess({
    main: gatewayMain,
    env: { ...env, PROOFROOM_MCP_PORT: "0" },
    readyWhen: /"serving"/,
  });
  closers.push(() => gateway.close());
  return { ...gateway, url: (JSON.parse(gateway.ready) as { url: string }).url };
}

describe("an agent that knows the prompts alone makes of the example what `write` makes of it", {
  timeout: 120_000,
}, () => {
  it("over stdio with the client of SDK v1, by job handles", async () => {
    const unparsable: Error[] = [];
    const peer = await connectLegacyStdio({
      command: process.execPath,
      args: [cliMain, "mcp", "--inline-ms", "0"],
      cwd: folder.path,
      env: { PATH: process.env["PATH"] ?? "", PROOFROOM_HOME: folder.path, PROOFROOM_NO_INSTALL: "1" },
      onUnparsable: (error) => unparsable.push(error),
    });
    closers.push(() => peer.close());
    let waits = 0;
    const counting: Peer = {
      ...peer,
      call(name, args) {
        if (name === "job_wait") waits += 1;
        return peer.call(name, args);
      },
    };
    expect(await wholeSession(counting)).toEqual(written);
    expect(waits).toBeGreaterThan(10);
    expect(unparsable).toEqual([]);
  });

  it("over HTTP with the client of SDK v1 and two replicas, one of which is killed at work", async () => {
    const env = await startWorkers();
    const replicas = [await startGateway(env), await startGateway(env)];
    let killed: number | undefined;
    const balancer = await startRoundRobin(
      replicas.map(({ url }) => url),
      (body, upstream) => {
        if (killed !== undefined || !body.includes('"draft_article_section"')) return;
        killed = upstream;
        replicas[upstream]?.child.kill("SIGKILL");
      },
    );
    closers.push(() => balancer.close());
    const peer = await connectLegacyHttp(balancer.url);
    closers.push(() => peer.close());
    expect(await wholeSession(peer)).toEqual(written);
    expect(killed).toBeDefined();
    expect(balancer.broken).toBeGreaterThan(0);
  });

  it("over HTTP with a client of 2026-07-28 that takes tasks", async () => {
    const peer = connectTasks((await startGateway(await startWorkers())).url);
    expect(await wholeSession(peer)).toEqual(written);
    expect(peer.tasksTaken).toBeGreaterThan(10);
  });
});
