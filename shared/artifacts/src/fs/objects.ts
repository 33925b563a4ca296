import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { notFound } from "../failures.ts";
import { isKey, storeFolder } from "../keys.ts";
import type { ObjectInfo } from "../store.ts";
import { fromErrno, isErrno } from "./errors.ts";

function infoOf(key: string, facts: BigIntStats): ObjectInfo {
  const etag = `${facts.ino}-${facts.mtimeNs}-${facts.size}`;
  return { key, size: Number(facts.size), etag, modified: facts.mtime };
}

/** The facts of the object at `path`, or null where no plain file stands there. */
export async function inspect(key: string, path: string): Promise<ObjectInfo | null> {
  try {
    const facts = await lstat(path, { bigint: true });
    return facts.isFile() ? infoOf(key, facts) : null;
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return null;
    throw fromErrno(error);
  }
}

/**
 * Opens the object at `path`: facts and content are of one state, whoever replaces it meanwhile.
 * @throws ProofroomError not_found
 */
export async function openObject(key: string, path: string): Promise<{ file: FileHandle; info: ObjectInfo }> {
  let file: FileHandle;
  try {
    // A link is refused; a pipe that somebody put there must not make the open wait for a writer.
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw isErrno(error, "ELOOP") ? notFound(error) : fromErrno(error);
  }
  try {
    const facts = await file.stat({ bigint: true });
    if (!facts.isFile()) throw notFound();
    return { file, info: infoOf(key, facts) };
  } catch (error) {
    await file.close();
    throw fromErrno(error);
  }
}

/** Reads the object, or the range of it, at once, and closes the file. */
export async function readSmall(
  file: FileHandle,
  size: number,
  { start, end = size - 1 }: { start: number; end?: number } = { start: 0 },
): Promise<Uint8Array> {
  try {
    const bytes = Buffer.allocUnsafe(Math.min(end + 1, size) - start);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length);
      // Somebody has cut the file by hand.
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } catch (error) {
    throw fromErrno(error);
  } finally {
    await file.close();
  }
}

/** So many objects are looked at together: each look is short, and waiting for one after the other is most of a listing. */
const inspectedAtOnce = 16;

/** All objects below `folder`, whose keys begin with `keys`, that match `prefix`, in the order of their keys' bytes. */
export async function* walk(folder: string, keys: string, prefix: string): AsyncGenerator<ObjectInfo> {
  let entries: { name: string; folder: boolean; order: Buffer }[];
  try {
    entries = (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .filter((entry) => keys !== "" || entry.name !== storeFolder)
      .map((entry) => ({ name: entry.name, folder: entry.isDirectory() }))
      .map((entry) => ({ ...entry, order: Buffer.from(entry.folder ? `${entry.name}/` : entry.name) }))
      .sort((a, b) => Buffer.compare(a.order, b.order));
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return;
    throw fromErrno(error);
  }
  for (let from = 0; from < entries.length; from += inspectedAtOnce) {
    const next = entries.slice(from, from + inspectedAtOnce).map(async (entry) => {
      const key = keys + entry.name;
      const path = join(folder, entry.name);
      if (entry.folder) return { path, inner: `${key}/` };
      return key.startsWith(prefix) && isKey(key) ? inspect(key, path) : null;
    });
    for (const found of await Promise.all(next)) {
      if (found === null) continue;
      if (!("inner" in found)) yield found;
      else if (found.inner.startsWith(prefix) || prefix.startsWith(found.inner))
        yield* walk(found.path, found.inner, prefix);
    }
  }
}
