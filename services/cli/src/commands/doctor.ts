import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import { toProofroomError } from "@proofroom/contracts";
import pc from "picocolors";
import type { Finding } from "../doctor/finding.ts";
import { gitFindings } from "../doctor/git-hosts.ts";
import { providerFindings } from "../doctor/providers.ts";
import { traceFindings } from "../doctor/traces.ts";
import { webFindings } from "../doctor/web.ts";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import type { CommandContext } from "./context.ts";

const run = promisify(execFile);

/** How long the Redis that is given has to answer, in milliseconds. */
const redisPatience = 5_000;

async function versionOf(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const { stdout, stderr } = await run(command, [...args], { signal, timeout: 5_000 });
    return (stdout || stderr).trim().split("\n")[0] ?? "";
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

async function program(name: string, command: string, fix: string, signal: AbortSignal): Promise<Finding> {
  const version = await versionOf(command, ["--version"], signal);
  return version === null
    ? { name, state: "missing", what: "not on the PATH", fix }
    : { name, state: "ok", what: version };
}

async function redis(context: CommandContext): Promise<Finding> {
  const { redis: given, cwd } = context.settings;
  if (given !== undefined) {
    const { firstAnswer, readRedisAddress } = await import("@proofroom/queue");
    try {
      await firstAnswer(await readRedisAddress(given, cwd), redisPatience);
      return { name: "Redis", state: "ok", what: "the one at REDIS_URL answers" };
    } catch (error) {
      context.signal.throwIfAborted();
      const { message, remedy } = toProofroomError(error);
      return {
        name: "Redis",
        state: "missing",
        what: message,
        ...(remedy === undefined ? {} : { fix: remedy }),
      };
    }
  }
  for (const command of ["redis-server", "valkey-server"]) {
    const version = await versionOf(command, ["--version"], context.signal);
    if (version !== null)
      return { name: "Redis", state: "ok", what: `${command}, started privately when it is needed` };
  }
  const fix = "Install redis-server or valkey-server, start Docker, or set REDIS_URL.";
  const install = context.settings.allowInstall
    ? "not on the PATH; Docker or the package manager is tried when it is needed"
    : "not on the PATH";
  return { name: "Redis", state: context.settings.allowInstall ? "optional" : "missing", what: install, fix };
}

async function sandbox(context: CommandContext): Promise<Finding> {
  const { openCodeTools } = await import("@proofroom/code-qa");
  const tools = await openCodeTools({ log: context.log, signal: context.signal });
  try {
    const { driver } = tools;
    if (driver.name !== "none")
      return { name: "Sandbox", state: "ok", what: `${driver.name}, which withstood its self-test` };
    const fix = "Install bubblewrap and allow unprivileged user namespaces.";
    return { name: "Sandbox", state: "optional", what: "none: code is checked, but not run", fix };
  } finally {
    await tools.close();
  }
}

async function home(context: CommandContext): Promise<Finding> {
  const folder = context.settings.home;
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    return { name: "Home", state: "ok", what: folder };
  } catch {
    return {
      name: "Home",
      state: "missing",
      what: `${folder} cannot be written`,
      fix: "Set PROOFROOM_HOME to a folder of yours.",
    };
  }
}

const marks = { ok: pc.green("✓"), missing: pc.red("✗"), optional: pc.yellow("–") } as const;

/**
 * Looks at what Proofroom needs on this machine.
 * @param online whether the providers that are set are asked if they are there and take the key. Exit 4 where something is missing that it cannot do without. */
export async function doctorCommand(context: CommandContext, online: boolean): Promise<ExitCode> {
  const { signal } = context;
  const findings: Finding[] = [
    { name: "Node", state: "ok", what: process.version },
    await program("git", "git", "Install git: repositories are cloned with it.", signal),
    await program("Python", "python3", "Install python3: Python blocks are checked and run with it.", signal),
    await redis(context),
    await sandbox(context),
    await home(context),
    { name: "Budget", state: "ok", what: "a run has no limit but the one that its --budget names" },
    ...(await gitFindings(context, online)),
    ...(await providerFindings(context, online)),
    ...(await webFindings(context, online)),
    ...traceFindings(context),
  ];
  const lines = findings.flatMap(({ name, state, what, fix }) => [
    ` ${marks[state]} ${name.padEnd(23)} ${what}`,
    ...(fix === undefined ? [] : [`   fix: ${fix}`]),
  ]);
  context.terminal.result({ findings }, lines.join("\n"));
  return findings.some(({ state }) => state === "missing") ? exitCodes.needed : exitCodes.done;
}
