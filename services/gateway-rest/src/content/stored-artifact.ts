import { type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { artifact, assertArtifactName, ProofroomError } from "@proofroom/contracts";

/** Below a run, but none of its artifacts: the records of its steps, and the versions by their numbers. */
const internal = /^\.nova\/(?:run\.json$|(?:run|ledger|inputs|history)(?:\/|$))/i;

export function isArtifact(name: string): boolean {
  return !internal.test(name);
}

/** A content of an artifact, and where it lies. */
export interface StoredArtifact {
  key: string;
  size: number;
  /** The entity tag, quotes and all: the sha256 of the version, or the store's own for what has no versions. */
  etag: string;
  /** The number of the version, where it has one. */
  version: number | null;
}

/**
 * Checks the name of an artifact that a client gives.
 * @throws ProofroomError invalid_input for what is no name, not_found for what is not an artifact
 */
export function requireArtifactName(name: string): string {
  if (!isArtifact(assertArtifactName(name))) throw noSuchArtifact();
  return name;
}

/**
 * The newest version of an artifact, or the file itself where it has no versions (uploads). A version is read from
 * where it was stored, which never changes, so that its tag is true however the artifact changes meanwhile.
 * @throws ProofroomError invalid_input, not_found
 */
export async function findArtifact(store: ObjectStore, runId: string, name: string): Promise<StoredArtifact> {
  const base = `runs/${runId}/`;
  requireArtifactName(name);
  const version = await openRunArtifacts(store, runId).latest(name);
  if (version !== null) {
    const key = `${base}.nova/history/${name}/${version.file}`;
    return { key, size: version.size, etag: `"${version.sha256}"`, version: version.n };
  }
  const info = await store.head(base + name);
  if (info === null) throw noSuchArtifact();
  return { key: info.key, size: info.size, etag: `"${info.etag.replaceAll('"', "")}"`, version: null };
}

function noSuchArtifact(): ProofroomError {
  return new ProofroomError({ code: "not_found", message: "The run has no such artifact." });
}

/** Whether people may write the artifact: the guideline, the article, and its sections. */
export function isWritable(name: string): boolean {
  return (
    name === artifact.guideline ||
    name === artifact.article ||
    /^\.nova\/sections\/[a-z0-9_-]{1,64}\.md$/.test(name)
  );
}
