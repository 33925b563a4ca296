import { spawn } from "node:child_process";
import { connect, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ProofroomError } from "@proofroom/contracts";
import { type Instance, readInstance } from "./instance-lock.ts";
import { isRunning } from "./process-identity.ts";
import type { RedisBackend } from "./redis-plan.ts";
import {
  LEAVE,
  type SupervisorOrder,
  type SupervisorReport,
  supervisorReport,
  welcome,
} from "./supervisor-protocol.ts";

const SUPERVISOR = fileURLToPath(new URL("./supervisor-main.ts", import.meta.url));
const RETRY_MS = 50;
const JOIN_TIMEOUT_MS = 60_000;
/** Longer than a supervisor may take to start Redis, the pull of an image included. */
const WELCOME_TIMEOUT_MS = 240_000;
const LEAVE_TIMEOUT_MS = 15_000;
const LOST = "The private Redis was lost and could not be started again at its address.";

/** A share in the private Redis of a home. */
export interface Membership {
  /** Path of a socket, or `redis://` for a container. */
  url: string;
  /** Gives the share back; resolves once Redis and its folders are gone, if it was the last. */
  leave(): Promise<void>;
}

export interface JoinOptions {
  home: string;
  log: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/** Joins the Redis that another command runs for this home; undefined where none does. */
export async function joinRunning(options: JoinOptions): Promise<Membership | undefined> {
  const link = await connectToSupervisor(options);
  return link && membership(link, options);
}

/**
 * Joins the Redis of a home, starting it by this backend where no other command runs it.
 *
 * @returns the membership, or why the backend could not be started
 * @throws {ProofroomError} conflict where the home is held by a process that cannot be reached
 */
export async function joinOrStart(
  backend: RedisBackend,
  options: JoinOptions,
): Promise<Membership | { failed: string }> {
  const link = await linkOrStart({ home: options.home, backend }, options);
  return "failed" in link ? link : membership(link, options);
}

/** An open connection to the supervisor of an instance that serves. */
interface Link {
  socket: Socket;
  instance: Instance;
  url: string;
}

async function linkOrStart(order: SupervisorOrder, options: JoinOptions): Promise<Link | { failed: string }> {
  const { signal } = options;
  const deadline = Date.now() + JOIN_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const link = await connectToSupervisor(options);
    if (link) return link;
    const report = isHeld(order.home) ? { state: "held" as const } : await startSupervisor(order, signal);
    if (report.state === "failed") return { failed: report.reason };
    if (report.state === "held") await delay(RETRY_MS, undefined, signal ? { signal } : {});
  }
  throw new ProofroomError({
    code: "conflict",
    message: `The Redis of ${order.home} is held by process ${readInstance(order.home)?.supervisor.pid}, which does not answer.`,
    remedy: "End that process, or set PROOFROOM_HOME to another folder.",
  });
}

/** Whether the home has a living supervisor, be it one that cannot be reached. */
function isHeld(home: string): boolean {
  const instance = readInstance(home);
  return instance !== undefined && isRunning(instance.supervisor);
}

/** Undefined where no supervisor answers, or the one that does is about to end. */
async function connectToSupervisor({ home, signal }: JoinOptions): Promise<Link | undefined> {
  signal?.throwIfAborted();
  const instance = readInstance(home);
  if (!instance) return undefined;
  const socket = connect(instance.control);
  const abort = () => socket.destroy();
  signal?.addEventListener("abort", abort, { once: true });
  socket.setTimeout(WELCOME_TIMEOUT_MS, abort);
  const url = await firstLine(socket);
  socket.setTimeout(0);
  signal?.removeEventListener("abort", abort);
  signal?.throwIfAborted();
  return url === undefined ? undefined : { socket, instance, url: welcome.parse(JSON.parse(url)).url };
}

async function startSupervisor(
  order: SupervisorOrder,
  signal: AbortSignal | undefined,
): Promise<SupervisorReport> {
  const child = spawn(process.execPath, [SUPERVISOR, JSON.stringify(order)], {
    cwd: "/",
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  child.on("error", () => {});
  child.unref();
  // Left alone, it finds that it has no member and ends by itself.
  const abort = () => child.stdout.destroy();
  signal?.addEventListener("abort", abort, { once: true });
  const line = await firstLine(child.stdout);
  signal?.removeEventListener("abort", abort);
  child.stdout.destroy();
  signal?.throwIfAborted();
  if (line === undefined) return { state: "failed", reason: "its supervisor ended without a word" };
  return supervisorReport.parse(JSON.parse(line));
}

/** The first line of a stream; undefined where it ends before. */
function firstLine(stream: Readable): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    stream.on("error", () => resolve(undefined));
    stream.on("close", () => resolve(undefined));
    stream.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
  });
}

function membership(first: Link, options: JoinOptions): Membership {
  let link = first;
  let leaving = false;
  let recovery: Promise<void> = Promise.resolve();

  const watch = () => {
    // A share must not keep a finished command alive.
    link.socket.unref();
    link.socket.once("close", () => {
      if (!leaving) recovery = recover().catch(() => options.log(LOST));
    });
  };
  /** Only the supervisor was lost, but then nobody restarts or ends Redis: a new one takes over, at the same address and data. */
  const recover = async () => {
    const { backend, folder } = link.instance;
    const found = await linkOrStart({ home: options.home, backend, resume: folder }, options);
    if ("failed" in found) return options.log(LOST);
    link = found;
    watch();
    if (found.url !== first.url) options.log(LOST);
  };
  watch();
  return {
    url: first.url,
    async leave() {
      leaving = true;
      await recovery;
      await leaveSupervisor(link.socket);
    },
  };
}

async function leaveSupervisor(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  socket.ref();
  await new Promise<void>((resolve) => {
    const giveUp = setTimeout(() => socket.destroy(), LEAVE_TIMEOUT_MS);
    socket.once("close", () => {
      clearTimeout(giveUp);
      resolve();
    });
    socket.write(LEAVE);
  });
}
