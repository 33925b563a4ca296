import { createHash } from "node:crypto";
import { link, mkdir, readdir, readFile, rm, unlink, writeFile } from "node:fs/promises";
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
}

async function startOf(pid: number): Promise<string> {
  try {
    // Field 22 of /proc/PID/stat, counted after the command's closing parenthesis: a pid may be reused.
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

async function alive(owner: Owner): Promise<boolean> {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (!isErrno(error, "EPERM")) return false;
  }
  return (await startOf(owner.pid)) === owner.started;
}

async function ownerOf(path: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Owner;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
}

/** Claims the right to replace the state `etag` of `key`, or null where a living writer has it. */
export async function claimState(folder: string, key: string, etag: string): Promise<Claim | null> {
  const name = createHash("sha256").update(`${key}\n${etag}`).digest("hex").slice(0, 32);
  const states = join(folder, name);
  await mkdir(states, { recursive: true });
  const ticket = join(folder, `${name}.${process.pid}.${Math.random().toString(36).slice(2)}`);
  await writeFile(
    ticket,
    JSON.stringify({ pid: process.pid, started: await startOf(process.pid) } satisfies Owner),
  );
  try {
    for (let number = (await readdir(states)).length; ; number += 1) {
      if (number > 0) {
        const previous = await ownerOf(join(states, String(number - 1)));
        if (previous === null || (await alive(previous))) return null;
      }
      try {
        await link(ticket, join(states, String(number)));
        // A late contender may put its own claim in while this one is removed; it finds the state changed and
        // removes the folder itself.
        return { release: () => rm(states, { recursive: true, force: true }).catch(() => undefined) };
      } catch (error) {
        if (isErrno(error, "ENOENT")) return null;
        if (!isErrno(error, "EEXIST")) throw error;
      }
    }
  } finally {
    await unlink(ticket).catch(() => undefined);
  }
}
