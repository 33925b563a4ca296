import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually, freePort } from "@proofroom/testing";
import { Redis } from "ioredis";
import { type RedisProcess, startRedisProcess } from "./redis-process.ts";

export interface SentinelGroup {
  /** The address under which the master is found, whoever it is. */
  readonly url: string;
  readonly sentinelPassword: string;
  /** Ends the server that was the master at the beginning, as a crash would. */
  killMaster(): Promise<void>;
  close(): Promise<void>;
}

const password = "server-secret";
const sentinelPassword = "sentinel-secret";

/** Whether a Sentinel knows of the replicas and of the other Sentinels: before, it makes nobody the master. */
async function knowsAll(port: number): Promise<boolean> {
  const asked = new Redis({ host: "127.0.0.1", port, password: sentinelPassword, enableReadyCheck: false });
  try {
    const facts = (await asked.call("SENTINEL", "MASTER", "proofroom")) as string[];
    const of = (name: string) => Number(facts[facts.indexOf(name) + 1]);
    return of("num-slaves") === 2 && of("num-other-sentinels") === 2;
  } finally {
    asked.disconnect();
  }
}

/** A master with two replicas, and three Sentinels that make one of them the master where it dies. */
export async function startSentinelGroup(folder: string): Promise<SentinelGroup> {
  const running: RedisProcess[] = [];
  const ports = await Promise.all(Array.from({ length: 6 }, freePort));
  const [master = 0, ...others] = ports;
  const replicas = others.slice(0, 2);
  const sentinels = others.slice(2);

  async function start(port: number, lines: readonly string[], kind: readonly string[] = []): Promise<void> {
    const home = join(folder, String(port));
    await mkdir(home);
    const file = join(home, "redis.conf");
    await writeFile(file, [`port ${port}`, "bind 127.0.0.1", `dir ${home}`, ...lines, ""].join("\n"));
    running.push(await startRedisProcess([file, ...kind], port));
  }

  const server = ["appendonly yes", 'save ""', `requirepass ${password}`, `masterauth ${password}`];
  await start(master, server);
  for (const port of replicas) await start(port, [...server, `replicaof 127.0.0.1 ${master}`]);
  const watch = [
    `requirepass ${sentinelPassword}`,
    `sentinel sentinel-pass ${sentinelPassword}`,
    `sentinel monitor proofroom 127.0.0.1 ${master} 2`,
    `sentinel auth-pass proofroom ${password}`,
    "sentinel down-after-milliseconds proofroom 1000",
    "sentinel failover-timeout proofroom 5000",
  ];
  for (const port of sentinels) await start(port, watch, ["--sentinel"]);
  await eventually(async () => (await Promise.all(sentinels.map(knowsAll))).every(Boolean));
  const hosts = sentinels.map((port) => `127.0.0.1:${port}`).join(",");
  return {
    url: `redis+sentinel://:${password}@${hosts}/proofroom`,
    sentinelPassword,
    killMaster: async () => running[0]?.kill(),
    async close() {
      for (const process of running.reverse()) await process.kill();
    },
  };
}
