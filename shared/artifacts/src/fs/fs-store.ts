import { createReadStream } from "node:fs";
import { link, lstat, mkdir, readdir, realpath, rename, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { Readable } from "node:stream";
import { ProofroomError } from "@proofroom/contracts";
import { assertKey, storeFolder } from "../keys.ts";
import type { Body, GetOptions, ObjectInfo, ObjectStore, PutOptions, StoredObject } from "../store.ts";
import { claimState } from "./claims.ts";
import { fromErrno, isErrno } from "./errors.ts";
import { withStagedFile } from "./staging.ts";

function conflict(message: string): ProofroomError {
  return new ProofroomError({ code: "conflict", message });
}

/** A store in a folder: keys are paths below it, objects are plain files that a person can open. */
export function createFsStore(options: { root: string }): ObjectStore {
  const root = resolve(options.root);
  const staging = join(root, storeFolder, "staging");
  const claims = join(root, storeFolder, "claims");

  async function infoOf(key: string, path: string): Promise<ObjectInfo | null> {
    try {
      const facts = await lstat(path, { bigint: true });
      if (!facts.isFile()) return null;
      const etag = `${facts.ino}-${facts.mtimeNs}-${facts.size}`;
      return { key, size: Number(facts.size), etag, modified: facts.mtime };
    } catch (error) {
      if (isErrno(error, "ENOENT", "ENOTDIR")) return null;
      throw fromErrno(error);
    }
  }

  async function mustExist(key: string, path: string): Promise<ObjectInfo> {
    const info = await infoOf(key, path);
    if (info === null)
      throw new ProofroomError({ code: "not_found", message: "There is no such object in the store." });
    return info;
  }

  /** A folder in the way that is a link could lead outside: the real place of the parent must be below the root. */
  async function confined(path: string): Promise<void> {
    const base = await realpath(root);
    const parent = await realpath(dirname(path));
    if (parent !== base && !parent.startsWith(base + sep)) {
      throw new ProofroomError({
        code: "invalid_input",
        message: "The object's folder leads out of the store.",
      });
    }
  }

  async function pathOf(key: string): Promise<string> {
    const path = join(root, ...assertKey(key).split("/"));
    try {
      await confined(path);
    } catch (error) {
      if (!isErrno(error, "ENOENT", "ENOTDIR")) throw fromErrno(error);
    }
    return path;
  }

  async function* walk(folder: string, keys: string, prefix: string): AsyncGenerator<ObjectInfo> {
    let entries: { name: string; folder: boolean }[];
    try {
      entries = (await readdir(folder, { withFileTypes: true }))
        .filter((entry) => entry.isFile() || entry.isDirectory())
        .map((entry) => ({ name: entry.name, folder: entry.isDirectory() }));
    } catch (error) {
      if (isErrno(error, "ENOENT", "ENOTDIR")) return;
      throw fromErrno(error);
    }
    const ordered = entries
      .filter((entry) => keys !== "" || entry.name !== storeFolder)
      .map((entry) => ({ ...entry, order: Buffer.from(entry.folder ? `${entry.name}/` : entry.name) }))
      .sort((a, b) => Buffer.compare(a.order, b.order));
    for (const entry of ordered) {
      const key = keys + entry.name;
      const path = join(folder, entry.name);
      if (entry.folder) {
        const inner = `${key}/`;
        if (inner.startsWith(prefix) || prefix.startsWith(inner)) yield* walk(path, inner, prefix);
      } else if (key.startsWith(prefix)) {
        const info = await infoOf(key, path);
        if (info !== null) yield info;
      }
    }
  }

  return {
    async create(key: string, body: Body, put: PutOptions = {}): Promise<ObjectInfo> {
      const path = await pathOf(key);
      try {
        return await withStagedFile(staging, body, put, async (staged) => {
          await mkdir(dirname(path), { recursive: true });
          await confined(path);
          await link(staged, path);
          return mustExist(key, path);
        });
      } catch (error) {
        if (isErrno(error, "EEXIST")) throw conflict("The object exists already.");
        throw fromErrno(error);
      }
    },

    async replace(key: string, body: Body, etag: string, put: PutOptions = {}): Promise<ObjectInfo> {
      const path = await pathOf(key);
      try {
        return await withStagedFile(staging, body, put, async (staged) => {
          const claim = await claimState(claims, key, etag);
          if (claim === null) throw conflict("The object is being replaced by another writer.");
          try {
            if ((await mustExist(key, path)).etag !== etag)
              throw conflict("The object has changed meanwhile.");
            await rename(staged, path);
            return await mustExist(key, path);
          } finally {
            await claim.release();
          }
        });
      } catch (error) {
        throw fromErrno(error);
      }
    },

    async get(key: string, get: GetOptions = {}): Promise<StoredObject> {
      const path = await pathOf(key);
      const info = await mustExist(key, path);
      get.signal?.throwIfAborted();
      const range = get.range;
      if (range !== undefined && (range.start < 0 || range.start >= Math.max(info.size, 1))) {
        throw new ProofroomError({ code: "invalid_input", message: "The range lies outside the object." });
      }
      const stream = createReadStream(path, {
        ...(range === undefined ? {} : { start: range.start }),
        ...(range?.end === undefined ? {} : { end: range.end }),
        ...(get.signal === undefined ? {} : { signal: get.signal }),
      });
      return { info, body: Readable.toWeb(stream) as ReadableStream<Uint8Array> };
    },

    async head(key: string): Promise<ObjectInfo | null> {
      return infoOf(key, await pathOf(key));
    },

    async *list(prefix: string, list: { signal?: AbortSignal } = {}): AsyncGenerator<ObjectInfo> {
      const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
      if (folder !== "") assertKey(folder.slice(0, -1));
      const start = await stat(join(root, folder)).catch(() => null);
      if (start === null || !start.isDirectory()) return;
      for await (const info of walk(join(root, folder), folder, prefix)) {
        list.signal?.throwIfAborted();
        yield info;
      }
    },

    async delete(key: string): Promise<void> {
      const path = await pathOf(key);
      try {
        await unlink(path);
      } catch (error) {
        if (!isErrno(error, "ENOENT", "ENOTDIR")) throw fromErrno(error);
      }
    },

    async close(): Promise<void> {},
  };
}
