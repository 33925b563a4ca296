import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askRedis } from "./ask-redis.ts";
import { endProcess, untilServing } from "./child-process.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { redisSettings, type TestRedis } from "./redis-server.ts";

/** A Redis as a process, which keeps everything in a folder of its own. */
interface RedisProcess extends TestRedis {
  readonly folder: string;
}

/** A Redis that wants a password, at an address that holds it; what it was ever told to write stands in its folder. */
export async function startGuardedRedis(password: string): Promise<RedisProcess> {
  const port = await freePort();
  const redis = await startRedisProcess({ port, bind: "127.0.0.1", requirepass: password });
  return { ...redis, url: `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}/0` };
}

/** A Redis on a unix socket in a temporary folder. */
export async function startRedisProcess(
  more: Readonly<Record<string, string | number>> = {},
): Promise<RedisProcess> {
  const folder = await mkdtemp(join(tmpdir(), "proofroom-redis-"));
  const socket = join(folder, "s");
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const settings = {
      port: 0,
      unixsocket: socket,
      dir: folder,
      ...redisSettings,
      ...more,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    server = spawn("redis-server", args, { stdio: "ignore" });
    const answersPing = async () => /^(?:\+PONG|-NOAUTH)/.test(await askRedis({ path: socket }, "PING"));
    await untilServing(server, eventually(answersPing));
  }

  async function kill(): Promise<void> {
    if (server !== undefined) await endProcess(server, "SIGKILL");
    await rm(socket, { force: true });
  }

  try {
    await start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    url: socket,
    folder,
    kill,
    restart: start,
    async flush() {
      await askRedis({ path: socket }, "FLUSHALL");
    },
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
