import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.ts";

export interface TestRedis {
  /** Path of its unix socket. */
  readonly url: string;
  /** Ends the server as a crash would; its append-only file stays. */
  kill(): Promise<void>;
  /** Starts it again on the same socket with what its append-only file holds. */
  restart(): Promise<void>;
  /** Deletes everything. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Sends one command in Redis's inline form; answers the reply, or an empty text where nobody listens. */
function ask(socket: string, command: string): Promise<string> {
  return new Promise((resolve) => {
    const client = connect(socket, () => client.write(`${command}\r\n`));
    client.once("data", (data) => {
      client.destroy();
      resolve(data.toString());
    });
    client.once("error", () => resolve(""));
  });
}

/** A Redis of the test's own on a unix socket in a temporary folder, configured as production is. */
export async function startTestRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), "proofroom-redis-"));
  const socket = join(folder, "s");
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const settings = {
      port: 0,
      unixsocket: socket,
      dir: folder,
      appendonly: "yes",
      save: "",
      "maxmemory-policy": "noeviction",
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn("redis-server", args, { stdio: "ignore" });
    const failed = once(child, "error").then(([error]) => {
      throw new Error("redis-server is needed for this test and is not on the PATH", { cause: error });
    });
    server = child;
    await Promise.race([failed, eventually(async () => (await ask(socket, "PING")).startsWith("+PONG"))]);
  }

  async function kill(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, "exit");
    server.kill("SIGKILL");
    await gone;
    await rm(socket, { force: true });
  }

  await start();
  return {
    url: socket,
    kill,
    restart: start,
    async flush() {
      await ask(socket, "FLUSHALL");
    },
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
