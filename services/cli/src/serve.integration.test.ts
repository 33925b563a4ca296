import { fileURLToPath } from "node:url";
import {
  eventually,
  makeTempFolder,
  startTestRedis,
  type TempFolder,
  type TestRedis,
} from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runCli } from "./testing/run-cli.ts";
import { startProcess } from "./testing/start-process.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
let folder: TempFolder;
let redis: TestRedis;

beforeEach(async () => {
  [folder, redis] = await Promise.all([makeTempFolder(), startTestRedis()]);
});

afterEach(async () => {
  await redis.close();
  await folder.close();
});

const settings = () => ({
  HOME: folder.path,
  PROOFROOM_HOME: folder.path,
  PROOFROOM_NO_INSTALL: "1",
  REDIS_URL: redis.url,
});

async function start(env: Record<string, string> = {}) {
  const served = await startProcess({
    main,
    args: ["serve", "--health-port", "0"],
    env: { ...settings(), ...env },
    readyWhen: /^Serving/,
  });
  const url = /http:\S+:\d+/.exec(served.said.join("\n"))?.[0] ?? "";
  const readiness = async () => {
    const answer = await fetch(`${url}/readyz`);
    const { reasons = [] } = (await answer.json()) as { reasons?: string[] };
    return { status: answer.status, reasons };
  };
  return { ...served, url, readiness };
}

it("a process that serves is ready while it takes jobs: not without Redis, and not once it is told to end", async () => {
  const { child, url, readiness, close } = await start();
  const status = async (path: string) => (await fetch(url + path)).status;
  try {
    await eventually(async () => (await readiness()).status === 200);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain("# TYPE proofroom_jobs_ended_total counter");
    expect(metrics).toContain('proofroom_queue_jobs{queue="draft_article_section",state="waiting"} 0');
    await redis.kill();
    await eventually(async () => (await readiness()).reasons.includes("draft_article_section: disconnected"));
    expect(await status("/healthz")).toBe(200);
    // Without Redis its workers take as long to close as they may, so that there is time to ask.
    child.kill("SIGTERM");
    await eventually(async () => (await readiness()).reasons.includes("stopping"));
    expect(await status("/healthz")).toBe(200);
  } finally {
    await close();
  }
  expect(child.exitCode).toBe(0);
});

it("a process that serves a part of the queues says so, and has workers for them alone", async () => {
  const { ready, readiness, close } = await start({ PROOFROOM_QUEUES: "verify_citations" });
  try {
    expect(ready).toBe(
      "Serving verify_citations; without advance runs are moved on by others alone. Ctrl-C stops.",
    );
    await eventually(async () => (await readiness()).status === 200);
    await redis.kill();
    await eventually(async () => (await readiness()).reasons.includes("verify_citations: disconnected"));
    expect((await readiness()).reasons).toEqual(["verify_citations: disconnected"]);
  } finally {
    await close();
  }
});

it("a port that was asked for and is taken ends it, and is named", async () => {
  const { url, close } = await start();
  const { port } = new URL(url);
  const second = await runCli(["serve"], {
    home: folder.path,
    env: { ...settings(), PROOFROOM_HEALTH_PORT: port },
  });
  await close();
  expect(second.code).toBe(1);
  expect(second.stderr).toContain(`port ${port}`);
  expect(second.stderr).toContain("PROOFROOM_HEALTH_PORT");
});
