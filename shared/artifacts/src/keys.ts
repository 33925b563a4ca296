import { assertArtifactName, ProofroomError } from "@proofroom/contracts";

/** Keys below this folder belong to the store itself. */
export const storeFolder = ".store";

/** File systems, and MinIO on top of them, take no longer part of a name; in bytes. */
const partLimit = 255;

/**
 * Checks a key: the rules of artifact names, parts that every store can keep, and nothing inside the store's own
 * folder.
 * @throws ProofroomError invalid_input
 */
export function assertKey(key: string): string {
  assertArtifactName(key);
  const parts = key.split("/");
  if (parts[0] === storeFolder || parts.some((part) => Buffer.byteLength(part) > partLimit)) {
    throw new ProofroomError({
      code: "invalid_input",
      message: "That is not the key of an object.",
      remedy: `Use a relative path outside ${storeFolder}, whose parts have at most ${partLimit} bytes.`,
    });
  }
  return key;
}

/** Whether the key is one: what lies in a folder or a bucket beside the store's objects is passed over. */
export function isKey(key: string): boolean {
  try {
    assertKey(key);
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks the folder part of a listing's prefix, and answers it with its slash, or "" where the prefix has none.
 * @throws ProofroomError invalid_input
 */
export function folderOfPrefix(prefix: string): string {
  const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  if (folder !== "") assertKey(folder.slice(0, -1));
  return folder;
}
