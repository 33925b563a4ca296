import { extname } from "node:path";
import { assertArtifactName, ProofroomError, sha256Schema } from "@proofroom/contracts";
import { z } from "zod";
import { conflict, hasCode } from "./failures.ts";
import { readObject, sha256Of, tryReadObject, tryReadWithInfo } from "./read.ts";
import type { ObjectStore } from "./store.ts";

const versionSchema = z.object({
  n: z.int().positive(),
  sha256: sha256Schema,
  size: z.int().nonnegative(),
  /** The step and generation that wrote it (`refine_and_save_article-….g1`), or `person`, or `import`. */
  author: z.string(),
  at: z.iso.datetime(),
  /** Name of the file beside the pointer that holds the content. */
  file: z.string(),
});

/** One version of an artifact, as its pointer in `.nova/history/NAME/` tells it. */
export type Version = z.infer<typeof versionSchema>;

/**
 * The versions of the artifacts below one folder of the store: `NAME/000001.json` and so on are the pointers, without
 * gaps, each created once; beside them lie the contents under their hashes.
 */
export interface VersionChains {
  /** The highest number of every artifact that has versions. */
  heads(signal?: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** The newest version that `accept` takes, or null. */
  latest(name: string, accept?: (version: Version) => boolean, signal?: AbortSignal): Promise<Version | null>;
  version(name: string, n: number, signal?: AbortSignal): Promise<Version>;
  /** The content of a version, checked against its hash. */
  read(name: string, version: Version, signal?: AbortSignal): Promise<Uint8Array>;
  /** Adds a version, unless the newest has this very content: then that one. Of concurrent ones none is lost. */
  append(name: string, body: Uint8Array, options: AppendOptions): Promise<Version>;
}

export interface AppendOptions {
  author: string;
  /** The number that the newest version must have, 0 where there must be none: of many at once one succeeds, the others are `conflict`. */
  over?: number | undefined;
  signal?: AbortSignal | undefined;
}

function pointerName(n: number): string {
  return `${String(n).padStart(6, "0")}.json`;
}

function damaged(message: string, cause?: unknown): ProofroomError {
  return new ProofroomError({
    code: "conflict",
    message,
    remedy: "Retry the step that writes it.",
    cause,
  });
}

/** The versions below `folder`, which ends with a slash. What has been read of them is remembered: it never changes. */
export function openVersionChains(store: ObjectStore, folder: string): VersionChains {
  const pointers = new Map<string, Version>();
  const known = new Map<string, number>();

  const folderOf = (name: string) => `${folder}${assertArtifactName(name)}/`;
  const withSignal = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

  async function tryVersion(name: string, n: number, signal?: AbortSignal): Promise<Version | null> {
    const key = folderOf(name) + pointerName(n);
    const cached = pointers.get(key);
    if (cached !== undefined) return cached;
    const bytes = await tryReadObject(store, key, { signal });
    if (bytes === null) return null;
    let version: Version;
    try {
      version = versionSchema.parse(JSON.parse(Buffer.from(bytes).toString("utf8")));
    } catch (error) {
      throw damaged(`The record of version ${n} of ${name} cannot be read.`, error);
    }
    pointers.set(key, version);
    return version;
  }

  async function version(name: string, n: number, signal?: AbortSignal): Promise<Version> {
    const found = await tryVersion(name, n, signal);
    if (found !== null) return found;
    throw new ProofroomError({ code: "not_found", message: `There is no version ${n} of ${name}.` });
  }

  async function listedHead(name: string, signal?: AbortSignal): Promise<number> {
    let head = 0;
    const prefix = folderOf(name);
    for await (const info of store.list(prefix, withSignal(signal))) {
      const match = /^(\d{6})\.json$/.exec(info.key.slice(prefix.length));
      if (match?.[1] !== undefined) head = Math.max(head, Number(match[1]));
    }
    return head;
  }

  /** Lists once; afterwards it only looks whether the next number has come, which in S3 is the cheaper request. */
  async function headOf(name: string, signal?: AbortSignal): Promise<number> {
    let head = known.get(name);
    if (head === undefined) head = await listedHead(name, signal);
    else while ((await tryVersion(name, head + 1, signal)) !== null) head += 1;
    known.set(name, head);
    return head;
  }

  async function latest(
    name: string,
    accept: (version: Version) => boolean = () => true,
    signal?: AbortSignal,
  ): Promise<Version | null> {
    for (let n = await headOf(name, signal); n >= 1; n -= 1) {
      const candidate = await version(name, n, signal);
      if (accept(candidate)) return candidate;
    }
    return null;
  }

  async function created(key: string, body: Uint8Array | string, signal?: AbortSignal): Promise<boolean> {
    try {
      await store.create(key, body, withSignal(signal));
      return true;
    } catch (error) {
      if (hasCode(error, "conflict")) return false;
      throw error;
    }
  }

  /** Stores a content under its hash; one that stands there and has been damaged is mended. */
  async function keep(key: string, body: Uint8Array, sha256: string, signal?: AbortSignal): Promise<void> {
    while (!(await created(key, body, signal))) {
      const there = await tryReadWithInfo(store, key, { signal });
      if (there === null) continue;
      if (sha256Of(there.bytes) === sha256) return;
      try {
        await store.replace(key, body, there.info.etag, withSignal(signal));
        return;
      } catch (error) {
        if (!hasCode(error, "conflict") && !hasCode(error, "not_found")) throw error;
      }
    }
  }

  return {
    latest,
    version,

    async heads(signal) {
      const found = new Map<string, number>();
      for await (const info of store.list(folder, withSignal(signal))) {
        const match = /^(.+)\/(\d{6})\.json$/.exec(info.key.slice(folder.length));
        if (match?.[1] === undefined || match[2] === undefined) continue;
        found.set(match[1], Math.max(found.get(match[1]) ?? 0, Number(match[2])));
      }
      for (const [name, n] of found) known.set(name, Math.max(known.get(name) ?? 0, n));
      return found;
    },

    async read(name, wanted, signal) {
      const bytes = await readObject(store, folderOf(name) + wanted.file, { signal });
      if (sha256Of(bytes) === wanted.sha256) return bytes;
      throw damaged(`The stored content of ${name} is not what was written.`);
    },

    async append(name, body, { author, over, signal }) {
      const sha256 = sha256Of(body);
      const file = `${sha256.slice(0, 16)}${extname(name)}`;
      await keep(folderOf(name) + file, body, sha256, signal);
      for (;;) {
        const head = await latest(name, undefined, signal);
        if (over !== undefined && over !== (head?.n ?? 0)) {
          throw conflict(`The newest version of ${name} is ${head?.n ?? 0}, not ${over}.`);
        }
        if (head?.sha256 === sha256) return head;
        const n = (head?.n ?? 0) + 1;
        const at = new Date().toISOString();
        const next: Version = { n, sha256, size: body.byteLength, author, at, file };
        const key = folderOf(name) + pointerName(n);
        if (await created(key, `${JSON.stringify(next, null, 2)}\n`, signal)) {
          pointers.set(key, next);
          known.set(name, n);
          return next;
        }
      }
    },
  };
}
