import { join } from "node:path";
import { createFsStore } from "@proofroom/artifacts";
import { openLedger } from "@proofroom/runtime/records";
import { makeTempFolder, startTestRedis, type TempFolder, type TestRedis } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runCli } from "./testing/run-cli.ts";
import { writeSmallGuideline } from "./testing/small-guideline.ts";

let folder: TempFolder;
let redis: TestRedis;

beforeEach(async () => {
  [folder, redis] = await Promise.all([makeTempFolder(), startTestRedis()]);
});

afterEach(async () => {
  await redis.close();
  await folder.close();
});

it.each(["run.started", "step.started"])(
  "--force at %s cancels a run that another process works on, which ends, and leaves nothing of it",
  async (when) => {
    const home = join(folder.path, "home");
    const guideline = await writeSmallGuideline(folder.path);
    const cli = (...args: string[]) =>
      runCli(args, { home, cwd: folder.path, env: { REDIS_URL: redis.url } });
    let removed: ReturnType<typeof cli> | undefined;
    const written = await runCli(["write", guideline, "--events", "--out", join(folder.path, "out")], {
      home,
      cwd: folder.path,
      env: { REDIS_URL: redis.url },
      onEvent({ type, run_id }) {
        if (type === when) removed ??= cli("remove", "--force", run_id, "--json");
      },
    });
    const done = await removed;
    expect(done?.code, done?.stderr).toBe(0);
    expect(written.code).not.toBe(0);
    const store = createFsStore({ root: home });
    const [runId = ""] = (JSON.parse(done?.stdout ?? "{}") as { removed: string[] }).removed;
    await expect(openLedger(store, runId).manifest()).rejects.toMatchObject({ code: "not_found" });
    for await (const { key } of store.list("")) expect(key).not.toContain(runId);
    expect(JSON.parse((await cli("list", "--json")).stdout)).toEqual({ runs: [] });
  },
  120_000,
);
