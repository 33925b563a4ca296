import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Instance, readInstance, redisFolder } from "./instance-lock.ts";
import { type OpenedRedis, openRedis } from "./open-redis.ts";
import { identify } from "./process-identity.ts";
import { supervise } from "./supervisor.ts";

const soon = { timeout: 15_000, interval: 50 };
const quiet = () => {};

let home: string;
let opened: OpenedRedis[];
let members: ChildProcess[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "a home with spaces "));
  opened = [];
  members = [];
});

afterEach(async () => {
  for (const member of members) member.kill("SIGKILL");
  for (const redis of opened) await redis.close();
  await vi.waitFor(() => expect(readInstance(home)).toBeUndefined(), soon);
  rmSync(home, { recursive: true, force: true });
});

async function open(): Promise<OpenedRedis> {
  const redis = await openRedis({ home, allowInstall: false, log: quiet });
  opened.push(redis);
  return redis;
}

/** Another process that opens the Redis of the same home, and closes it when its stdin ends. */
async function startMember(): Promise<{ child: ChildProcess; url: string }> {
  const module = JSON.stringify(new URL("./open-redis.ts", import.meta.url).href);
  const program = `
    const { openRedis } = await import(${module});
    const redis = await openRedis({ home: process.argv[1], allowInstall: false, log() {} });
    console.log(redis.url);
    process.stdin.resume().on("end", () => redis.close());`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program, home], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  members.push(child);
  for await (const url of createInterface({ input: child.stdout })) return { child, url };
  throw new Error("the member ended without opening Redis");
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => child.once("exit", resolve));
  }
}

async function withClient<Result>(url: string, work: (client: Redis) => Promise<Result>): Promise<Result> {
  const client = new Redis(url, { maxRetriesPerRequest: 3 });
  client.on("error", quiet);
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

async function redisPid(url: string): Promise<number> {
  const info = await withClient(url, (client) => client.info("server"));
  return Number(/process_id:(\d+)/.exec(info)?.[1]);
}

function runningInstance(): Instance {
  const instance = readInstance(home);
  if (!instance) throw new Error("no private Redis runs for the home");
  return instance;
}

async function expectNothingLeft(instance: Instance, pid: number): Promise<void> {
  await vi.waitFor(() => {
    expect(identify(pid)).toBeUndefined();
    expect(identify(instance.supervisor.pid)).toBeUndefined();
    expect(existsSync(instance.folder)).toBe(false);
    expect(readdirSync(redisFolder(home))).toEqual([]);
  }, soon);
}

describe("a private Redis", () => {
  test("serves at a private socket only, durable and without eviction", async () => {
    const { url, owned } = await open();
    expect(owned).toBe(true);
    const settings = await withClient(url, async (client) => {
      expect(await client.ping()).toBe("PONG");
      const names = ["port", "appendonly", "appendfsync", "maxmemory-policy", "save", "unixsocketperm"];
      return Promise.all(names.map(async (name) => ((await client.config("GET", name)) as string[])[1]));
    });
    expect(settings).toEqual(["0", "yes", "everysec", "noeviction", "", "700"]);
  });

  test("leaves no process, folder or lock after close", async () => {
    const redis = await open();
    const instance = runningInstance();
    const pid = await redisPid(redis.url);
    await redis.close();
    expect(existsSync(instance.folder)).toBe(false);
    expect(readdirSync(redisFolder(home))).toEqual([]);
    await expectNothingLeft(instance, pid);
  });

  test("starts empty when it has no living member, whatever lay there", async () => {
    const first = await open();
    await withClient(first.url, (client) => client.set("left", "over"));
    await first.close();
    const second = await open();
    expect(await withClient(second.url, (client) => client.dbsize())).toBe(0);
  });

  test("a lock of a process that is gone is taken over, and its data removed", async () => {
    const data = join(redisFolder(home), "data-old");
    mkdirSync(data, { recursive: true });
    const folder = mkdtempSync(join(tmpdir(), "proofroom-redis-"));
    const gone = { pid: process.pid, startedAt: "before this process" };
    const instance = { supervisor: gone, folder, control: join(folder, "control.sock"), data, redis: gone };
    const lock = { ...instance, backend: { kind: "program", program: "redis-server" } };
    writeFileSync(join(redisFolder(home), "lock"), JSON.stringify(lock));
    const { url } = await open();
    expect(await withClient(url, (client) => client.ping())).toBe("PONG");
    expect(existsSync(data)).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });

  test("an unreadable lock does not block the home", async () => {
    mkdirSync(redisFolder(home), { recursive: true });
    writeFileSync(join(redisFolder(home), "lock"), '{"supervisor":');
    const { url } = await open();
    expect(await withClient(url, (client) => client.ping())).toBe("PONG");
  });
});

describe("several commands on one home", () => {
  test("the second joins the first, stays when it leaves, and ends Redis as the last out", async () => {
    const first = await startMember();
    const second = await startMember();
    expect(second.url).toBe(first.url);
    const instance = runningInstance();
    const pid = await redisPid(first.url);

    first.child.stdin?.end();
    await ended(first.child);
    expect(await redisPid(second.url)).toBe(pid);

    second.child.stdin?.end();
    await ended(second.child);
    await expectNothingLeft(instance, pid);
  });

  test("started at the same moment, they share one Redis", async () => {
    const started = await Promise.all([startMember(), startMember(), startMember(), open()]);
    expect(new Set(started.map(({ url }) => url)).size).toBe(1);
  });
});

describe("kill -9", () => {
  test("of the only owner ends Redis and removes its folders", async () => {
    const { child, url } = await startMember();
    const instance = runningInstance();
    const pid = await redisPid(url);
    child.kill("SIGKILL");
    await expectNothingLeft(instance, pid);
  });

  test("of one of two members leaves Redis to the other", async () => {
    const killed = await startMember();
    const { url } = await open();
    const pid = await redisPid(url);
    killed.child.kill("SIGKILL");
    await ended(killed.child);
    expect(await redisPid(url)).toBe(pid);
  });

  test("of redis-server brings it back at the same socket with its data, again and again", async () => {
    const { url } = await open();
    for (const round of ["one", "two", "three"]) {
      await withClient(url, (client) => client.rpush("rounds", round));
      const pid = await redisPid(url);
      process.kill(pid, "SIGKILL");
      await vi.waitFor(async () => expect(await redisPid(url)).not.toBe(pid), soon);
    }
    expect(await withClient(url, (client) => client.lrange("rounds", 0, -1))).toEqual([
      "one",
      "two",
      "three",
    ]);
  });

  test("of the supervisor costs no data, and what replaces it still ends Redis with its last member", async () => {
    const redis = await open();
    const other = await startMember();
    await withClient(redis.url, (client) => client.set("kept", "yes"));
    const before = runningInstance();
    process.kill(before.supervisor.pid, "SIGKILL");
    await vi.waitFor(() => {
      expect(readInstance(home)?.redis).toBeDefined();
      expect(readInstance(home)?.supervisor).not.toEqual(before.supervisor);
    }, soon);
    await vi.waitFor(async () => {
      expect(await withClient(redis.url, (client) => client.get("kept"))).toBe("yes");
    }, soon);
    expect(runningInstance().folder).toBe(before.folder);

    const pid = await redisPid(redis.url);
    await redis.close();
    other.child.kill("SIGKILL");
    await expectNothingLeft(before, pid);
  });

  test("of owner and supervisor at once: the next command ends the orphaned Redis and starts anew", async () => {
    const { child, url } = await startMember();
    const before = runningInstance();
    const orphan = await redisPid(url);
    process.kill(before.supervisor.pid, "SIGSTOP");
    child.kill("SIGKILL");
    await ended(child);
    process.kill(before.supervisor.pid, "SIGKILL");
    await vi.waitFor(() => expect(identify(before.supervisor.pid)).toBeUndefined(), soon);
    expect(identify(orphan)).toBeDefined();

    const next = await open();
    await vi.waitFor(() => expect(identify(orphan)).toBeUndefined(), soon);
    expect(next.url).not.toBe(url);
    expect(existsSync(before.folder)).toBe(false);
    expect(existsSync(before.data)).toBe(false);
  });
});

test("a member that comes too late to save a lost Redis starts none: it could not be at the same address", async () => {
  const folder = join(home, "never");
  const order = { home, backend: { kind: "program" as const, program: "redis-server" }, resume: folder };
  const supervised = supervise(order, quiet, AbortSignal.timeout(10_000));
  await expect(supervised).rejects.toThrow("it has ended");
  expect(existsSync(redisFolder(home))).toBe(false);
});

describe("openRedis", () => {
  const nowhere = {
    findServer: async () => undefined,
    engineAnswers: async () => false,
    installServer: async () => false,
  };

  test("uses a given Redis and does not manage it", async () => {
    const { url } = await open();
    const given = await openRedis({ redis: { url }, home, allowInstall: false, log: quiet });
    expect(given).toMatchObject({ url, owned: false });
    await given.close();
    expect(await withClient(url, (client) => client.ping())).toBe("PONG");
  });

  test("goes on to the next way when a server cannot be started, and says why", async () => {
    const said: string[] = [];
    const found = ["false", "redis-server"];
    const probes = { ...nowhere, findServer: async () => found.shift(), installServer: async () => true };
    const refused = openRedis({ home, allowInstall: true, log: (line) => said.push(line) }, probes);
    await expect(refused).rejects.toMatchObject({ code: "dependency_down" });
    expect(said.join("\n")).toContain("false could not be started");
    expect(readdirSync(redisFolder(home))).toEqual([]);
  });

  test("starts a server that had to be installed first", async () => {
    const found = [undefined, "redis-server"];
    const probes = { ...nowhere, findServer: async () => found.shift(), installServer: async () => true };
    const redis = await openRedis({ home, allowInstall: true, log: quiet }, probes);
    opened.push(redis);
    expect(await withClient(redis.url, (client) => client.ping())).toBe("PONG");
  });
});
