import { assertArtifactName } from "@proofroom/contracts";

/** Keys below this folder belong to the store itself. */
export const storeFolder = ".store";

/**
 * Checks a key: the rules of artifact names, and nothing inside the store's own folder.
 * @throws ProofroomError invalid_input
 */
export function assertKey(key: string): string {
  assertArtifactName(key.startsWith(`${storeFolder}/`) || key === storeFolder ? "" : key);
  return key;
}
