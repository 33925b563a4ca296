import { type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { assertArtifactName, isBookkeeping, ProofroomError } from "@proofroom/contracts";

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
 * The newest version of an artifact, or the file itself where it has no versions (uploads). A version is read from
 * where it was stored, which never changes, so that its tag is true however the artifact changes meanwhile.
 * @throws ProofroomError invalid_input, not_found
 */
export async function findArtifact(store: ObjectStore, runId: string, name: string): Promise<StoredArtifact> {
  const base = `runs/${runId}/`;
  if (isBookkeeping(assertArtifactName(name))) throw noSuchArtifact();
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

/** What people may write: the guideline, the article, and its sections. */
export const writable = /^(?:article_guideline\.md|article\.md|\.nova\/sections\/[a-z0-9_-]{1,64}\.md)$/;
