import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readInstance, redisFolder } from "./instance-lock.ts";
import { openRedis } from "./open-redis.ts";
import { runCommand } from "./run-command.ts";

const docker = (...args: string[]) => runCommand("docker", args, { timeoutMs: 20_000 });
const engine = (await docker("version", "--format", "{{.Server.Version}}")).exitCode === 0;

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "proofroom-home-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe.runIf(engine)("a private Redis in a container", () => {
  test("serves, comes back with its data when it dies, and is removed in the end", {
    timeout: 120_000,
  }, async () => {
    const probes = {
      findServer: async () => undefined,
      engineAnswers: async () => true,
      installServer: async () => false,
    };
    const redis = await openRedis({ home, allowInstall: false, log: () => {} }, probes);
    const container = readInstance(home)?.container ?? "";
    expect(redis.url).toMatch(/^redis:\/\/127\.0\.0\.1:\d+$/);

    const client = new Redis(redis.url, { maxRetriesPerRequest: null });
    client.on("error", () => {});
    await client.set("kept", "yes");
    await docker("kill", "--signal", "KILL", container);
    await vi.waitFor(async () => expect(await client.get("kept")).toBe("yes"), { timeout: 20_000 });
    client.disconnect();

    await redis.close();
    expect((await docker("inspect", container)).exitCode).toBe(1);
    expect(readdirSync(redisFolder(home))).toEqual([]);
  });
});
