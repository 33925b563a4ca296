import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFsStore } from "@proofroom/artifacts";
import { runOptionsSchema } from "@proofroom/contracts";
import { createRun } from "@proofroom/runtime/records";
import { askAs, eventually, openTestPlace, postAs, type TestPlace } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apiKeyOf } from "./testing/start-test-gateway.ts";

let place: TestPlace;
let child: ChildProcess | undefined;

beforeEach(async () => {
  place = await openTestPlace();
});

afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await place.close();
});

/** Starts the program; answers what it has said so far. */
function start(env: Record<string, string>): { program: ChildProcess; said(): string } {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const program = spawn(process.execPath, [main], {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: process.env["PATH"],
      PROOFROOM_STORE: `file:${place.root}`,
      PROOFROOM_MCP_PORT: "0",
      REDIS_URL: place.redisUrl,
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

async function urlOf(said: () => string): Promise<string> {
  const url = () => /"url":"(http:[^"]+)"/.exec(said())?.[1] ?? "";
  await eventually(() => url() !== "");
  return url();
}

/** As a run lies there that was made before runs were marked. */
async function unmarkedRun(): Promise<string> {
  const store = createFsStore({ root: place.root });
  const options = runOptionsSchema.parse({});
  const runId = await createRun(store, {
    title: "Earlier",
    plan: "write",
    options,
    guideline: "# Earlier\n",
    author: "person",
  });
  await rm(join(place.root, "tenants"), { recursive: true });
  return runId;
}

describe("the program", () => {
  it("lets each key see its tenant's runs, earlier ones too, and leaves with 0 on SIGTERM", async () => {
    const earlier = await unmarkedRun();
    const keys = [apiKeyOf("default", "one"), apiKeyOf("docs", "two")];
    const { program, said } = start({
      PROOFROOM_MCP_HOST: "0.0.0.0",
      PROOFROOM_API_KEYS: keys.map(({ tenant, sha256 }) => `${tenant}:${sha256}`).join(","),
      PROOFROOM_RATE: "1000",
    });
    const url = (await urlOf(said)).replace("0.0.0.0", "127.0.0.1");
    expect((await fetch(`${new URL(url).origin}/readyz`)).status).toBe(200);
    expect((await postAs(url, null, "tools/list", {})).status).toBe(401);
    const list = { name: "list_runs", arguments: {} };
    expect(JSON.stringify(await askAs(url, "one", "tools/call", list))).toContain(earlier);
    expect(JSON.stringify(await askAs(url, "two", "tools/call", list))).toContain("There are no runs.");
    program.kill("SIGTERM");
    if (program.exitCode === null) await once(program, "exit");
    expect(program.exitCode).toBe(0);
  });

  it.each([
    [{ PROOFROOM_MCP_HOST: "0.0.0.0" }, "PROOFROOM_API_KEYS"],
    [{ PROOFROOM_API_KEYS: "plain" }, "PROOFROOM_API_KEYS"],
    [{ PROOFROOM_OAUTH_ISSUER: "https://as.example" }, "PROOFROOM_OAUTH_AUDIENCE: must be set"],
    [{ REDIS_URL: "" }, "REDIS_URL: must be set"],
  ])("does not start with %j, and says why", async (env, reason) => {
    const { program, said } = start(env);
    await once(program, "close");
    expect(program.exitCode).toBe(2);
    expect(said()).toContain(reason);
    expect(said()).not.toContain("    at ");
  });
});
