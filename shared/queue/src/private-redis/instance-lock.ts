import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isRunning, processIdentity } from "./process-identity.ts";
import { redisBackend } from "./redis-plan.ts";

/** What is known of the one private Redis of a home, as its supervisor writes it. */
const instanceSchema = z.object({
  supervisor: processIdentity,
  /** Short temp folder of both sockets. */
  folder: z.string(),
  /** Path of the socket at which the supervisor counts its members. */
  control: z.string(),
  data: z.string(),
  backend: redisBackend,
  redis: processIdentity.optional(),
  container: z.string().optional(),
});

export type Instance = z.infer<typeof instanceSchema>;

/** A guard held longer than this was left by a process that died holding it; it is held for microseconds. */
const GUARD_EXPIRES_MS = 10_000;

export function redisFolder(home: string): string {
  return join(home, "redis");
}

export function readInstance(home: string): Instance | undefined {
  return parse(readText(lockPath(home)));
}

/**
 * Makes this instance the one of its home, whose redis folder is there.
 *
 * @returns `taken`, with what a dead supervisor left behind if the lock was its; or `held` by a living one
 */
export function takeLock(
  home: string,
  instance: Instance,
): { state: "taken"; abandoned: Instance | undefined } | { state: "held" } {
  const text = readText(lockPath(home));
  const found = parse(text);
  if (text !== undefined) {
    if (found && isRunning(found.supervisor)) return { state: "held" };
    if (!removeAbandoned(home, text)) return { state: "held" };
  }
  return publish(home, instance, linkSync) ? { state: "taken", abandoned: found } : { state: "held" };
}

/** Replaces what is known of an instance; only for the supervisor that holds the lock. */
export function updateLock(home: string, instance: Instance): void {
  publish(home, instance, renameSync);
}

export function releaseLock(home: string, instance: Instance): void {
  if (readInstance(home)?.folder === instance.folder) rmSync(lockPath(home), { force: true });
}

/** A lock appears whole or not at all: it is written aside and put in its place by link (fails if there is one) or rename. */
function publish(home: string, instance: Instance, place: (from: string, to: string) => void): boolean {
  const aside = `${lockPath(home)}.${process.pid}`;
  try {
    writeFileSync(aside, JSON.stringify(instance));
    place(aside, lockPath(home));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Removes the lock of a dead supervisor. Two processes may find it at once: the guard lets one look again and remove, so that the
 * slower one cannot remove the lock which the faster one has taken since.
 */
function removeAbandoned(home: string, text: string): boolean {
  const guard = `${lockPath(home)}.guard`;
  try {
    mkdirSync(guard);
  } catch {
    if (Date.now() - (modifiedAt(guard) ?? Date.now()) > GUARD_EXPIRES_MS)
      rmSync(guard, { recursive: true, force: true });
    return false;
  }
  try {
    if (readText(lockPath(home)) !== text) return false;
    rmSync(lockPath(home), { force: true });
    return true;
  } finally {
    rmdirSync(guard);
  }
}

function lockPath(home: string): string {
  return join(redisFolder(home), "lock");
}

function parse(text: string | undefined): Instance | undefined {
  if (text === undefined) return undefined;
  try {
    return instanceSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function modifiedAt(file: string): number | undefined {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return undefined;
  }
}
