import { resolve } from "node:path";
import { ProofroomError } from "@proofroom/contracts";
import { firstAnswer } from "../first-answer.ts";
import type { RedisAddress } from "../redis-address.ts";
import { joinOrStart, joinRunning } from "./membership.ts";
import type { RedisBackend } from "./redis-plan.ts";
import { findProgram, runCommand } from "./run-command.ts";
import { installPrograms, redisProgram } from "./system-packages.ts";

const GIVEN_TIMEOUT_MS = 5_000;
const ENGINE_TIMEOUT_MS = 10_000;
const CONTAINER_IMAGE = "redis:7-bookworm";

export interface OpenRedisOptions {
  /** A Redis that is there already; it is then used and never managed. */
  redis?: RedisAddress | undefined;
  /** The home; data of a private Redis lives in its `redis` folder while it runs. */
  home: string;
  /** Whether the system's package manager may be used. */
  allowInstall: boolean;
  /** Told in a line each what is started, joined or installed. */
  log: (line: string) => void;
  signal?: AbortSignal | undefined;
}

export interface OpenedRedis extends RedisAddress {
  /** Whether it is private, hence empty at the start and gone after the last close. */
  owned: boolean;
  close(): Promise<void>;
}

/** What the choice between the ways to a Redis asks of the machine; replaced in tests of the choice itself. */
export interface MachineProbes {
  findServer(): Promise<string | undefined>;
  engineAnswers(): Promise<boolean>;
  installServer(): Promise<boolean>;
}

/**
 * Gives a Redis to work with: the one that is given; else that of another command on the same home; else a private one, by a server
 * on the PATH, a running Docker, or a server installed for it without a password. A private one starts empty, serves every command on
 * the home, is restarted from its AOF if it dies, and ends with its last user however that ends.
 *
 * @throws {ProofroomError} dependency_down where there is no way to a Redis, or the given one does not answer
 */
export async function openRedis(
  given: OpenRedisOptions,
  probes = machineProbes(given),
): Promise<OpenedRedis> {
  if (given.redis !== undefined) return useGiven(given.redis);
  const options = { ...given, home: resolve(given.home) };
  const running = await joinRunning(options);
  if (running) {
    options.log("Using the private Redis of another command on this home.");
    return { url: running.url, owned: true, close: () => running.leave() };
  }
  let found = false;
  for await (const backend of backends(options, probes)) {
    const joined = await joinOrStart(backend, options);
    if (!("failed" in joined)) return { url: joined.url, owned: true, close: () => joined.leave() };
    found = true;
    options.log(`${nameOf(backend)} could not be started: ${joined.failed}`);
  }
  if (found) {
    throw new ProofroomError({
      code: "dependency_down",
      message: "Redis is needed, and the one that is installed could not be started.",
      remedy: `See that ${options.home} and the folder for temporary files can be written, or set REDIS_URL; the reason stands on stderr.`,
      disposition: { kind: "fail" },
    });
  }
  throw new ProofroomError({
    code: "dependency_down",
    message: "Redis is needed, and none could be found or started.",
    remedy: `Install redis-server or valkey-server, start Docker, or set REDIS_URL${options.allowInstall ? "." : "; or unset PROOFROOM_NO_INSTALL to let it be installed."}`,
    disposition: { kind: "fail" },
  });
}

async function useGiven(address: RedisAddress): Promise<OpenedRedis> {
  await firstAnswer(address, GIVEN_TIMEOUT_MS);
  return { ...address, owned: false, close: async () => {} };
}

/** The ways to a private Redis in their order; the later ones are looked for only if the earlier ones fail. */
async function* backends(options: OpenRedisOptions, probes: MachineProbes): AsyncGenerator<RedisBackend> {
  const program = await probes.findServer();
  if (program !== undefined) yield { kind: "program", program };
  if (await probes.engineAnswers()) yield { kind: "container", image: CONTAINER_IMAGE };
  if (program !== undefined || !options.allowInstall || !(await probes.installServer())) return;
  const installed = await probes.findServer();
  if (installed !== undefined) yield { kind: "program", program: installed };
}

function nameOf(backend: RedisBackend): string {
  return backend.kind === "program" ? backend.program : `A container of ${backend.image}`;
}

function machineProbes({ log, signal }: OpenRedisOptions): MachineProbes {
  return {
    findServer: () => findProgram(redisProgram.binaries, signal),
    installServer: () => installPrograms([redisProgram], { log, signal }),
    async engineAnswers() {
      const asked = ["version", "--format", "{{.Server.Version}}"];
      return (await runCommand("docker", asked, { timeoutMs: ENGINE_TIMEOUT_MS, signal })).exitCode === 0;
    },
  };
}
