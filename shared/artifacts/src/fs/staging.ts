import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { incoming } from "../bodies.ts";
import type { Body, PutOptions } from "../store.ts";
import { isErrno } from "./errors.ts";

/** What a process that was killed left behind is removed after this long, in milliseconds. */
const leftoverAge = 24 * 60 * 60 * 1000;

function openNew(path: string) {
  return open(path, "wx", 0o644);
}

/**
 * Writes the body to a file of its own, synced to disk, hands its path to `publish` and removes it afterwards,
 * whatever happens: a reader never sees half an object.
 */
export async function withStagedFile<T>(
  folder: string,
  body: Body,
  options: PutOptions,
  publish: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(folder, randomUUID());
  const file = await openNew(path).catch(async (error: unknown) => {
    if (!isErrno(error, "ENOENT")) throw error;
    await mkdir(folder, { recursive: true });
    return openNew(path);
  });
  try {
    try {
      for await (const chunk of incoming(body, options)) await file.appendFile(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
    return await publish(path);
  } finally {
    await unlink(path).catch(() => undefined);
  }
}

/**
 * Makes sure that the file is newer than the one it replaces, whose modification time is given in nanoseconds. The
 * clock of the file system ticks every few milliseconds, and inodes are used again: without this, a state could
 * come to look like one that somebody read before.
 */
export async function makeNewer(path: string, than: bigint): Promise<void> {
  const facts = await stat(path, { bigint: true });
  if (facts.mtimeNs > than) return;
  // utimes() takes seconds as a double, which are exact to a quarter of a microsecond in this century.
  const micros = than / 1000n + 2n;
  await utimes(path, Number(facts.atimeNs) / 1e9, Number(micros) / 1e6);
}

/** Removes what processes that died have left in a folder of the store's own. Never fails. */
export async function sweepLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const facts = await stat(path).catch(() => null);
    if (facts === null || Date.now() - facts.mtimeMs < leftoverAge) continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
