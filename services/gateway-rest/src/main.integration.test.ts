import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import {
  eventually,
  makeTempFolder,
  startTestRedis,
  type TempFolder,
  type TestRedis,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let folder: TempFolder;
let redis: TestRedis;
let child: ChildProcess | undefined;

beforeEach(async () => {
  [folder, redis] = await Promise.all([makeTempFolder(), startTestRedis()]);
});

afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await redis.close();
  await folder.close();
});

/** Starts the program; answers what it has said so far. */
function start(env: Record<string, string>): { program: ChildProcess; said(): string } {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const program = spawn(process.execPath, [main], {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: process.env["PATH"],
      PROOFROOM_HOME: folder.path,
      PROOFROOM_REST_PORT: "0",
      REDIS_URL: redis.url,
      ...env,
    },
  });
  child = program;
  let text = "";
  program.stderr?.on("data", (data) => {
    text += String(data);
  });
  return { program, said: () => text };
}

describe("the program", () => {
  it("serves, ends its event streams on SIGTERM and leaves with 0", async () => {
    const { program, said } = start({});
    const url = () => /"url":"(http:[^"]+)"/.exec(said())?.[1];
    await eventually(() => url() !== undefined);
    expect((await fetch(`${url()}/readyz`)).status).toBe(200);
    const created = await fetch(`${url()}/v1/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ guideline: "# Drained\n" }),
    });
    const stream = await fetch(`${url()}${created.headers.get("location")}/events`);
    let told = "";
    const ended = (async () => {
      for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) told += chunk;
    })();
    await eventually(() => told.includes("event: run.started"));
    program.kill("SIGTERM");
    await ended;
    if (program.exitCode === null) await once(program, "exit");
    expect(program.exitCode).toBe(0);
  });

  it.each([
    [{ PROOFROOM_REST_HOST: "0.0.0.0" }, "not_configured", "PROOFROOM_API_KEYS"],
    [{ PROOFROOM_API_KEYS: "plain" }, "invalid_input", "PROOFROOM_API_KEYS"],
  ])("does not start with %j", async (env, code, setting) => {
    const { program, said } = start(env);
    await once(program, "close");
    expect(program.exitCode).toBe(1);
    expect(said()).toContain(`${code}: `);
    expect(said()).toContain(setting);
  });
});
