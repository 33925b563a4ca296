import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { z } from "zod";

/** By what a private Redis is run: a program of this machine, or a container. */
export const redisBackend = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("program"), program: z.string() }),
  z.object({ kind: z.literal("container"), image: z.string() }),
]);

export type RedisBackend = z.infer<typeof redisBackend>;

const COMMON_ARGUMENTS = [
  "--appendonly",
  "yes",
  "--appendfsync",
  "everysec",
  "--save",
  "",
  "--maxmemory-policy",
  "noeviction",
];
/** Creating a container may have to pull its image first. */
const CREATE_TIMEOUT_MS = 180_000;

/** A Redis that can be started any number of times on the same address and data. */
export interface RedisPlan {
  url: string;
  container?: string;
  /** Starts it; the child ends when Redis does. */
  start(): ChildProcess;
  /** Removes what stays after the child has ended. */
  remove(): void;
}

/** @throws {Error} where a container cannot be created or is gone */
export async function planRedis(
  backend: RedisBackend,
  place: { folder: string; data: string; container?: string | undefined },
): Promise<RedisPlan> {
  return backend.kind === "program"
    ? planProgram(backend.program, place)
    : planContainer(backend.image, place.container);
}

function planProgram(program: string, place: { folder: string; data: string }): RedisPlan {
  const url = join(place.folder, "redis.sock");
  const where = ["--port", "0", "--unixsocket", url, "--unixsocketperm", "700", "--daemonize", "no"];
  return {
    url,
    start() {
      mkdirSync(place.data, { recursive: true });
      const log = openSync(redisLog(place.data), "a");
      try {
        // The data folder is given as the working directory: no quoting rule of any version has to be met.
        return spawn(program, [...where, ...COMMON_ARGUMENTS], {
          cwd: place.data,
          stdio: ["ignore", log, log],
        });
      } finally {
        closeSync(log);
      }
    },
    remove() {},
  };
}

async function planContainer(image: string, existing: string | undefined): Promise<RedisPlan> {
  const container = existing ?? createContainer(image, await freePort());
  return {
    url: `redis://${publishedAddress(container)}`,
    container,
    start: () => spawn("docker", ["start", "--attach", container], { stdio: "ignore" }),
    remove: () => removeContainer(container),
  };
}

function createContainer(image: string, port: number): string {
  const publish = ["--publish", `127.0.0.1:${port}:6379`];
  const args = [
    "create",
    "--label",
    "proofroom.private-redis",
    ...publish,
    image,
    "redis-server",
    ...COMMON_ARGUMENTS,
  ];
  const { status, stdout, stderr } = spawnSync("docker", args, {
    encoding: "utf8",
    timeout: CREATE_TIMEOUT_MS,
  });
  if (status !== 0) throw new Error(`docker create failed: ${lastLine(stderr ?? "")}`);
  return stdout.trim();
}

/**
 * The port is fixed when the container is created: a random one would change at each start.
 *
 * @throws {Error} where there is no such container
 */
function publishedAddress(container: string): string {
  const format = '{{(index (index .HostConfig.PortBindings "6379/tcp") 0).HostPort}}';
  const { stdout } = spawnSync("docker", ["inspect", "--format", format, container], { encoding: "utf8" });
  const port = Number(stdout.trim());
  if (!(port > 0)) throw new Error("its container is gone");
  return `127.0.0.1:${port}`;
}

export function removeContainer(container: string): void {
  spawnSync("docker", ["rm", "--force", "--volumes", container], { stdio: "ignore", timeout: 30_000 });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** The last thing that Redis said, for a message about why it did not start. */
export function lastWords(data: string): string {
  try {
    return lastLine(readFileSync(redisLog(data), "utf8"));
  } catch {
    return "";
  }
}

function redisLog(data: string): string {
  return join(data, "redis.log");
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}
