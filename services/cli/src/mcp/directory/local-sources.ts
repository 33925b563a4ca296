import { createHash } from "node:crypto";
import { lstat, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { artifact, isProofroomError, type Uploads, uploadsSchema } from "@proofroom/contracts";
import { copyUploads, type LocalSource } from "../../create/copy-uploads.ts";
import { filesBelow } from "../../create/folder-files.ts";

/** What changes, in a folder that is a repository, when it has another commit. */
const gitFiles = [".git/HEAD", ".git/logs/HEAD"];

async function factsOf(path: string): Promise<string> {
  const facts = await lstat(path).catch(() => null);
  return facts === null ? "none" : `${facts.size} ${facts.mtimeMs} ${facts.ino}`;
}

async function stateOf({ disk }: LocalSource, signal: AbortSignal): Promise<string> {
  const real = await realpath(disk).catch(() => null);
  if (real === null) return "none";
  if (!(await stat(real)).isDirectory()) return factsOf(real);
  const hash = createHash("sha256");
  try {
    for (const name of [...(await filesBelow(real, signal)).files, ...gitFiles])
      hash.update(`${name} ${await factsOf(join(real, name))}\n`);
  } catch (error) {
    if (!isProofroomError(error)) throw error;
    return error.code;
  }
  return hash.digest("hex");
}

/** For each source something that changes when it does: sizes and times, so that nothing has to be read. */
export async function statesOf(
  sources: readonly LocalSource[],
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const states: Record<string, string> = {};
  for (const source of sources) states[source.path] = await stateOf(source, signal);
  return states;
}

/** The store, in which what exists already is written over: the copies of sources have no versions. */
function replacing(store: ObjectStore): ObjectStore {
  return {
    ...store,
    async create(key, body, options) {
      const before = await store.head(key);
      if (before === null) return store.create(key, body, options);
      return store.replace(key, body, before.etag, options);
    },
  };
}

/**
 * Copies those local sources of a guideline into its run that have changed since the states given, and lists them, so
 * that the steps that read them are stale. Answers the states now.
 */
export async function refreshSources(
  options: { store: ObjectStore; runId: string; signal: AbortSignal },
  sources: readonly LocalSource[],
  before: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const { store, runId, signal } = options;
  const states = await statesOf(sources, signal);
  const changed = sources.filter(({ path }) => states[path] !== before[path]);
  const isSame = changed.length === 0 && Object.keys(before).every((path) => path in states);
  if (isSame) return states;
  const copied = await copyUploads({ store: replacing(store), base: `runs/${runId}/`, signal }, changed);
  const artifacts = openRunArtifacts(store, runId);
  const head = await artifacts.latest(artifact.uploads, undefined, signal);
  const known: Uploads =
    head === null
      ? { v: 1, entries: [] }
      : uploadsSchema.parse(
          JSON.parse(Buffer.from(await artifacts.read(artifact.uploads, head, signal)).toString("utf8")),
        );
  const fresh = new Map(copied.entries.map((entry) => [entry.path, entry]));
  const entries = sources.flatMap(({ path }) => {
    const entry = fresh.get(path);
    if (entry !== undefined) return [{ ...entry, revision: states[path] }];
    return known.entries.filter((one) => one.path === path);
  });
  const uploads = { v: 1, entries } satisfies Uploads;
  await artifacts.write(artifact.uploads, Buffer.from(`${JSON.stringify(uploads, null, 2)}\n`), {
    author: "person",
    signal,
  });
  return states;
}
