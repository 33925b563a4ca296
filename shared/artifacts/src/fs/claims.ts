import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, readlink, rm, stat, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { isErrno } from "./errors.ts";

/**
 * The right to replace one state of one object. Comparing an etag and then renaming loses updates: between the
 * two another writer may rename. So whoever wants to replace the state `etag` first claims it by `link()`, of
 * which exactly one succeeds. A claim whose owner died before it could rename is passed over by claiming the
 * next number; a living owner is never passed over, so at any time one process at most may rename.
 */
export interface Claim {
  release(): Promise<void>;
}

interface Owner {
  pid: number;
  started: string;
  /** Machine and pid namespace: elsewhere the pid is another process's. */
  place: string;
}

/** An owner in another container or on another machine cannot be looked up: it is taken for dead after so long, in milliseconds. */
const strangerLife = 60_000;

async function startOf(pid: number): Promise<string> {
  try {
    // Fields 3 and 22 of /proc/PID/stat, counted after the command's closing parenthesis. A pid may be reused; a
    // zombie, whose parent has not asked for it, is dead.
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? "dead" : (fields[19] ?? "");
  } catch {
    return "";
  }
}

async function self(): Promise<Owner> {
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  return {
    pid: process.pid,
    started: await startOf(process.pid),
    place: `${hostname()} ${namespace}`,
  };
}

async function alive(owner: Owner): Promise<boolean> {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (!isErrno(error, "EPERM")) return false;
  }
  return (await startOf(owner.pid)) === owner.started;
}

/** Whether the claim at `path` is still somebody's. One that cannot be read was cut short by a crash of the machine. */
async function held(path: string, me: Owner): Promise<boolean> {
  const text = await readFile(path, "utf8");
  let owner: Owner;
  try {
    owner = JSON.parse(text) as Owner;
  } catch {
    return false;
  }
  if (owner.place === me.place) return alive(owner);
  return Date.now() - (await stat(path)).mtimeMs < strangerLife;
}

/** Claims the right to replace the state `etag` of `key`, or null where a living writer has it. */
export async function claimState(folder: string, key: string, etag: string): Promise<Claim | null> {
  const name = createHash("sha256").update(`${key}\n${etag}`).digest("hex").slice(0, 32);
  const states = join(folder, name);
  await mkdir(folder, { recursive: true });
  const me = await self();
  const ticket = join(folder, randomUUID());
  await writeFile(ticket, JSON.stringify(me));
  try {
    // Not `recursive`: that fails in a way of its own where another removes the folder at the same time.
    await mkdir(states).catch((error: unknown) => {
      if (!isErrno(error, "EEXIST")) throw error;
    });
    const number = (await readdir(states)).length;
    if (number > 0 && (await held(join(states, String(number - 1)), me))) return null;
    await link(ticket, join(states, String(number)));
    // A late contender may put its own claim in while this one is removed; it finds the state changed and
    // removes the folder itself.
    return { release: () => rm(states, { recursive: true, force: true }).catch(() => undefined) };
  } catch (error) {
    // Another took the same number, or a claim that is over was removed meanwhile: in both cases the state is taken.
    if (isErrno(error, "ENOENT", "EEXIST")) return null;
    throw error;
  } finally {
    await unlink(ticket).catch(() => undefined);
  }
}
