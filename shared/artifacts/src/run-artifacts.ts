import { extname } from "node:path";
import {
  type ArtifactRef,
  assertArtifactName,
  isProofroomError,
  ProofroomError,
  sha256Schema,
} from "@proofroom/contracts";
import { z } from "zod";
import { readObject, sha256Of, tryReadObject } from "./read.ts";
import type { ObjectStore } from "./store.ts";

const history = ".nova/history/";

/** One version of an artifact, as its pointer in `.nova/history/NAME/` tells it. */
export const versionSchema = z.object({
  n: z.int().positive(),
  sha256: sha256Schema,
  size: z.int().nonnegative(),
  /** The step and generation that wrote it (`refine_and_save_article-….g1`), or `person`, or `import`. */
  author: z.string(),
  at: z.iso.datetime(),
  /** Name of the file beside the pointer that holds the content. */
  file: z.string(),
});
export type Version = z.infer<typeof versionSchema>;

export interface WriteOptions {
  author: string;
  signal?: AbortSignal | undefined;
}

/**
 * The named artifacts of one run. The truth is a chain of versions: the content is stored under its hash, then a
 * pointer numbered one above the last is created, which only one writer can. The visible file under the
 * artifact's own name is a copy of the newest version, for people; one that a person changed by hand becomes a
 * version of theirs by `adoptEdits`.
 */
export interface RunArtifacts {
  readonly runId: string;
  /** Newest first versions of every artifact with a history: name to the highest number. */
  heads(signal?: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** The newest version that `accept` takes, or null. */
  latest(name: string, accept?: (version: Version) => boolean, signal?: AbortSignal): Promise<Version | null>;
  version(name: string, n: number, signal?: AbortSignal): Promise<Version>;
  /** The content of a version, checked against its hash. */
  read(name: string, version: Version, signal?: AbortSignal): Promise<Uint8Array>;
  /** The visible file, for artifacts without a history (uploads). Null where there is none. */
  readPlain(name: string, signal?: AbortSignal): Promise<Uint8Array | null>;
  /** Adds a version unless the newest one has this very content. */
  write(name: string, body: Uint8Array, options: WriteOptions): Promise<ArtifactRef>;
  /** Names of visible artifacts that start with `prefix`, in order. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<string>;
  /** Makes versions by `person` of visible files that were changed by hand; answers their names. */
  adoptEdits(signal?: AbortSignal): Promise<string[]>;
}

function pointerName(n: number): string {
  return `${String(n).padStart(6, "0")}.json`;
}

/** Opens the artifacts of a run in a store; nothing is read or written yet. */
export function openRunArtifacts(store: ObjectStore, runId: string): RunArtifacts {
  const base = `runs/${runId}/`;
  const pointers = new Map<string, Version>();

  function folderOf(name: string): string {
    return `${base}${history}${assertArtifactName(name)}/`;
  }

  async function readPointer(name: string, n: number, signal?: AbortSignal): Promise<Version> {
    const key = folderOf(name) + pointerName(n);
    const cached = pointers.get(key);
    if (cached !== undefined) return cached;
    const version = versionSchema.parse(
      JSON.parse(Buffer.from(await readObject(store, key, { signal })).toString("utf8")),
    );
    pointers.set(key, version);
    return version;
  }

  async function numbersOf(name: string, signal?: AbortSignal): Promise<number[]> {
    const folder = folderOf(name);
    const numbers: number[] = [];
    for await (const info of store.list(folder, signal === undefined ? {} : { signal })) {
      const match = /^(\d{6})\.json$/.exec(info.key.slice(folder.length));
      if (match?.[1] !== undefined) numbers.push(Number(match[1]));
    }
    return numbers;
  }

  async function read(name: string, version: Version, signal?: AbortSignal): Promise<Uint8Array> {
    const bytes = await readObject(store, folderOf(name) + version.file, { signal });
    if (sha256Of(bytes) !== version.sha256) {
      throw new ProofroomError({
        code: "conflict",
        message: `The stored content of ${name} is not what was written.`,
        remedy: "Retry the step that writes it.",
      });
    }
    return bytes;
  }

  async function latest(
    name: string,
    accept: (version: Version) => boolean = () => true,
    signal?: AbortSignal,
  ): Promise<Version | null> {
    for (const n of (await numbersOf(name, signal)).reverse()) {
      const version = await readPointer(name, n, signal);
      if (accept(version)) return version;
    }
    return null;
  }

  /** Brings the visible file up to the newest version. Whoever comes later sees a newer head and repeats. */
  async function show(name: string, signal?: AbortSignal): Promise<void> {
    for (;;) {
      const head = await latest(name, undefined, signal);
      if (head === null) return;
      const bytes = await read(name, head, signal);
      const visible = await store.head(base + name);
      try {
        if (visible === null) await store.create(base + name, bytes);
        else await store.replace(base + name, bytes, visible.etag);
      } catch (error) {
        if (isProofroomError(error) && error.code === "conflict") continue;
        throw error;
      }
      if ((await latest(name, undefined, signal))?.n === head.n) return;
    }
  }

  async function ignoreConflict(work: Promise<unknown>): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (error) {
      if (isProofroomError(error) && error.code === "conflict") return false;
      throw error;
    }
  }

  async function write(name: string, body: Uint8Array, options: WriteOptions): Promise<ArtifactRef> {
    const sha256 = sha256Of(body);
    const folder = folderOf(name);
    for (;;) {
      options.signal?.throwIfAborted();
      const head = await latest(name, undefined, options.signal);
      if (head?.sha256 === sha256) {
        await show(name, options.signal);
        return { name, version: head.n, sha256, size: head.size };
      }
      const file = `${sha256.slice(0, 16)}${extname(name)}`;
      await ignoreConflict(store.create(folder + file, body, { sha256 }));
      const n = (head?.n ?? 0) + 1;
      const version: Version = {
        n,
        sha256,
        size: body.byteLength,
        author: options.author,
        at: new Date().toISOString(),
        file,
      };
      if (
        await ignoreConflict(store.create(folder + pointerName(n), `${JSON.stringify(version, null, 2)}\n`))
      ) {
        await show(name, options.signal);
        return { name, version: n, sha256, size: body.byteLength };
      }
    }
  }

  async function heads(signal?: AbortSignal): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    const prefix = base + history;
    for await (const info of store.list(prefix, signal === undefined ? {} : { signal })) {
      const match = /^(.+)\/(\d{6})\.json$/.exec(info.key.slice(prefix.length));
      if (match?.[1] === undefined || match[2] === undefined) continue;
      found.set(match[1], Math.max(found.get(match[1]) ?? 0, Number(match[2])));
    }
    return found;
  }

  async function* list(prefix: string, signal?: AbortSignal): AsyncGenerator<string> {
    for await (const info of store.list(base + prefix, signal === undefined ? {} : { signal })) {
      yield info.key.slice(base.length);
    }
  }

  /** A visible file that equals an earlier version is a write that was cut short, not an edit. */
  async function editOf(name: string, head: number, signal?: AbortSignal): Promise<Uint8Array | null> {
    const bytes = await tryReadObject(store, base + name, { signal });
    if (bytes === null) return null;
    const sha256 = sha256Of(bytes);
    for (let n = head; n >= 1; n -= 1) {
      if ((await readPointer(name, n, signal)).sha256 === sha256) return null;
    }
    return bytes;
  }

  return {
    runId,
    heads,
    latest,
    version: readPointer,
    read,
    readPlain: (name, signal) => tryReadObject(store, base + assertArtifactName(name), { signal }),
    write,
    list,
    async adoptEdits(signal?: AbortSignal): Promise<string[]> {
      const adopted: string[] = [];
      for (const [name, n] of await heads(signal)) {
        const edited = await editOf(name, n, signal);
        if (edited === null) await show(name, signal);
        else {
          await write(name, edited, { author: "person", signal });
          adopted.push(name);
        }
      }
      return adopted;
    },
  };
}
