import { type ArtifactRef, assertArtifactName } from "@proofroom/contracts";
import { hasCode } from "./failures.ts";
import { sha256Of, tryReadObject, tryReadWithInfo } from "./read.ts";
import type { ObjectStore } from "./store.ts";
import { type AppendOptions, openVersionChains, type Version } from "./version-chain.ts";

const history = ".nova/history/";

/** Whoever edits a visible file by hand. */
const person = "person";

/** How many artifacts are looked through at the same time. */
const atOnce = 8;

/**
 * The named artifacts of one run. The truth is a chain of versions: the content is stored under its hash, then a
 * pointer numbered one above the last is created, which only one writer can. The visible file under the
 * artifact's own name is a copy of the newest version, for people; one that a person changed by hand becomes a
 * version of theirs by `adoptEdits`, or by the next `write`, before it is written over.
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
  /**
   * Adds a version unless the newest one has this very content.
   * @throws ProofroomError conflict where the newest is not the one that it was to be written over
   */
  write(name: string, body: Uint8Array, options: AppendOptions): Promise<ArtifactRef>;
  /** Names of visible artifacts that start with `prefix`, in order. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<string>;
  /** Makes versions by `person` of visible files that were changed by hand; answers their names. */
  adoptEdits(signal?: AbortSignal): Promise<string[]>;
}

/** A state of a visible file. */
interface Visible {
  bytes: Uint8Array;
  sha256: string;
  etag: string;
}

/** Opens the artifacts of a run in a store; nothing is read or written yet. */
export function openRunArtifacts(store: ObjectStore, runId: string): RunArtifacts {
  const base = `runs/${runId}/`;
  const chains = openVersionChains(store, base + history);

  async function look(name: string, signal?: AbortSignal): Promise<Visible | null> {
    const found = await tryReadWithInfo(store, base + assertArtifactName(name), { signal });
    if (found === null) return null;
    return { bytes: found.bytes, sha256: sha256Of(found.bytes), etag: found.info.etag };
  }

  /**
   * Looks at the visible file and makes a version by `person` of one that no version is. One that equals an earlier
   * version is a write that was cut short, not an edit. The file is read before the chain: what is shown has been
   * in the chain before.
   */
  async function settle(
    name: string,
    signal?: AbortSignal,
  ): Promise<{ visible: Visible | null; head: Version | null; edited: boolean }> {
    const visible = await look(name, signal);
    const passed: Version[] = [];
    const shown = await chains.latest(
      name,
      (version) => passed.push(version) > 0 && (visible === null || version.sha256 === visible.sha256),
      signal,
    );
    if (visible === null || shown !== null) return { visible, head: passed[0] ?? null, edited: false };
    return {
      visible,
      head: await chains.append(name, visible.bytes, { author: person, signal }),
      edited: true,
    };
  }

  /** Puts a version in the place of a state of the visible file; false where that is not its state any more. */
  async function place(
    name: string,
    over: Visible | null,
    bytes: Uint8Array,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const options = signal === undefined ? {} : { signal };
    try {
      if (over === null) await store.create(base + name, bytes, options);
      else await store.replace(base + name, bytes, over.etag, options);
      return true;
    } catch (error) {
      if (hasCode(error, "conflict") || hasCode(error, "not_found")) return false;
      throw error;
    }
  }

  /**
   * Brings the visible file up to the newest version; answers whether it had been edited. Whoever comes later sees
   * a newer head and repeats.
   */
  async function show(name: string, signal?: AbortSignal): Promise<boolean> {
    let edited = false;
    for (;;) {
      const now = await settle(name, signal);
      edited ||= now.edited;
      if (now.head === null || now.visible?.sha256 === now.head.sha256) return edited;
      await place(name, now.visible, await chains.read(name, now.head, signal), signal);
    }
  }

  async function write(name: string, body: Uint8Array, options: AppendOptions): Promise<ArtifactRef> {
    const { signal } = options;
    const { visible } = await settle(name, signal);
    const { n, sha256, size } = await chains.append(name, body, options);
    const shown = visible?.sha256 === sha256 || (await place(name, visible, body, signal));
    if (!shown || (await chains.latest(name, undefined, signal))?.n !== n) await show(name, signal);
    return { name, version: n, sha256, size };
  }

  return {
    runId,
    heads: chains.heads,
    latest: chains.latest,
    version: chains.version,
    read: chains.read,
    readPlain: (name, signal) => tryReadObject(store, base + assertArtifactName(name), { signal }),
    write,

    async *list(prefix, signal) {
      for await (const info of store.list(base + prefix, signal === undefined ? {} : { signal })) {
        const name = info.key.slice(base.length);
        if (!name.startsWith(history)) yield name;
      }
    },

    async adoptEdits(signal) {
      const names = [...(await chains.heads(signal)).keys()];
      const adopted = new Set<string>();
      const queue = names.values();
      const look = async () => {
        for (const name of queue) if (await show(name, signal)) adopted.add(name);
      };
      await Promise.all(Array.from({ length: atOnce }, look));
      return names.filter((name) => adopted.has(name));
    },
  };
}
