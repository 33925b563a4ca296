import { link, lstat, mkdir, realpath, rename, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ProofroomError } from "@proofroom/contracts";
import { assertRange, bodyOf, lookBefore, outgoing, outOfRange } from "../bodies.ts";
import { cancelled, conflict, keyInTheWay, notFound, throwIfAborted } from "../failures.ts";
import { assertKey, folderOfPrefix, storeFolder } from "../keys.ts";
import type { Body, GetOptions, ObjectInfo, ObjectStore, PutOptions, StoredObject } from "../store.ts";
import { type Claim, claimState } from "./claims.ts";
import { fromErrno, isErrno } from "./errors.ts";
import { inspect, openObject, readSmall, walk } from "./objects.ts";
import { makeNewer, sweepLeftovers, withStagedFile } from "./staging.ts";

/** How long a delete waits before it looks again at an object that a writer is just replacing, in milliseconds. */
const claimPause = 5;

/** Objects of at most so many bytes are read at once: a stream costs several times as much as the file. */
const smallSize = 64 * 1024;

/** A store in a folder: keys are paths below it, objects are plain files that a person can open. */
export function createFsStore(options: { root: string }): ObjectStore {
  const root = resolve(options.root);
  const staging = join(root, storeFolder, "staging");
  const claims = join(root, storeFolder, "claims");
  let swept: Promise<unknown> | undefined;
  let realRoot: string | undefined;

  /**
   * Whether the folder is there. One on the way that is a link could lead outside, or into the store's own folder.
   * @throws ProofroomError invalid_input where it is such a link
   */
  async function confined(folder: string): Promise<boolean> {
    let real: string;
    let expected: string;
    try {
      realRoot ??= await realpath(root);
      expected = resolve(realRoot, folder);
      real = await realpath(join(root, folder));
    } catch (error) {
      if (isErrno(error, "ENOENT", "ENOTDIR")) return false;
      throw fromErrno(error);
    }
    if (real === expected) return true;
    throw new ProofroomError({
      code: "invalid_input",
      message: "A folder on the way to the object is a link.",
      remedy: "Put the folder itself into the store.",
    });
  }

  async function pathOf(key: string): Promise<string> {
    await confined(dirname(assertKey(key)));
    return join(root, key);
  }

  async function makeFolder(path: string): Promise<void> {
    try {
      await mkdir(path, { recursive: true });
    } catch (error) {
      throw isErrno(error, "EEXIST", "ENOTDIR") ? keyInTheWay(error) : error;
    }
  }

  /** Stages the body beside the objects; `publish` gets its path and the facts that it will have in its place. */
  async function put(
    body: Body,
    options: PutOptions,
    publish: (staged: string) => Promise<ObjectInfo>,
  ): Promise<ObjectInfo> {
    swept ??= Promise.all([sweepLeftovers(staging), sweepLeftovers(claims)]);
    await swept;
    try {
      return await withStagedFile(staging, body, options, publish);
    } catch (error) {
      throw fromErrno(error);
    }
  }

  /** Works under a claim to a state of the object, so that nobody replaces it meanwhile; null where it is taken. */
  async function claimed<T>(key: string, etag: string, work: () => Promise<T>): Promise<T | null> {
    const claim: Claim | null = await claimState(claims, key, etag);
    if (claim === null) return null;
    try {
      return await work();
    } finally {
      await claim.release();
    }
  }

  async function existing(key: string, path: string): Promise<ObjectInfo> {
    const info = await inspect(key, path);
    if (info === null) throw notFound();
    return info;
  }

  async function unchanged(key: string, path: string, etag: string): Promise<void> {
    if ((await existing(key, path)).etag !== etag) throw conflict("The object has changed meanwhile.");
  }

  return {
    async create(key: string, body: Body, options: PutOptions = {}): Promise<ObjectInfo> {
      const folder = dirname(assertKey(key));
      const path = join(root, key);
      const hasFolder = await confined(folder);
      await lookBefore(body, async () => {
        if (hasFolder && (await inspect(key, path)) !== null) throw conflict("The object exists already.");
      });
      return put(body, options, async (staged) => {
        // Read before it is published: afterwards another writer may have replaced it already.
        const info = await existing(key, staged);
        if (!hasFolder) await makeFolder(dirname(path));
        if (!(await confined(folder))) await makeFolder(dirname(path));
        try {
          await link(staged, path);
        } catch (error) {
          if (isErrno(error, "ENOTDIR")) throw keyInTheWay(error);
          if (!isErrno(error, "EEXIST")) throw error;
          const there = await lstat(path).catch(() => null);
          throw there?.isDirectory() ? keyInTheWay(error) : conflict("The object exists already.", error);
        }
        return info;
      });
    },

    async replace(key: string, body: Body, etag: string, options: PutOptions = {}): Promise<ObjectInfo> {
      const path = await pathOf(key);
      await lookBefore(body, () => unchanged(key, path, etag));
      return put(body, options, async (staged) => {
        const done = await claimed(key, etag, async () => {
          await unchanged(key, path, etag);
          await makeNewer(staged, BigInt(etag.split("-")[1] ?? ""));
          const info = await existing(key, staged);
          await rename(staged, path);
          return info;
        });
        if (done === null) throw conflict("The object is being replaced by another writer.");
        return done;
      });
    },

    async get(key: string, options: GetOptions = {}): Promise<StoredObject> {
      const { range, signal } = options;
      throwIfAborted(signal);
      if (range !== undefined) assertRange(range);
      const { file, info } = await openObject(key, await pathOf(key));
      if (range !== undefined && range.start >= Math.max(info.size, 1)) {
        await file.close();
        throw outOfRange();
      }
      if (info.size <= smallSize) return { info, body: bodyOf(await readSmall(file, info.size, range)) };
      const failure = (error: unknown) => (signal?.aborted === true ? cancelled(signal) : fromErrno(error));
      return { info, body: outgoing(file.createReadStream(range), { signal, failure }) };
    },

    async head(key: string): Promise<ObjectInfo | null> {
      return inspect(key, await pathOf(key));
    },

    async *list(prefix: string, options: { signal?: AbortSignal } = {}): AsyncGenerator<ObjectInfo> {
      const folder = folderOfPrefix(prefix);
      await confined(folder);
      for await (const info of walk(join(root, folder), folder, prefix)) {
        throwIfAborted(options.signal);
        yield info;
      }
    },

    async delete(key: string, options: { signal?: AbortSignal } = {}): Promise<void> {
      const path = await pathOf(key);
      try {
        for (;;) {
          throwIfAborted(options.signal);
          const seen = await inspect(key, path);
          if (seen === null) return;
          const done = await claimed(key, seen.etag, async () => {
            if ((await inspect(key, path))?.etag !== seen.etag) return false;
            await unlink(path);
            return true;
          });
          if (done === true) return;
          await pause(claimPause);
        }
      } catch (error) {
        throw fromErrno(error);
      }
    },

    async close(): Promise<void> {},
  };
}
