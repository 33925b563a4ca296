import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type ObjectStore, openStore as openChosen, type StoreSettings } from "@proofroom/artifacts";
import { ProofroomError } from "@proofroom/contracts";

/**
 * Where a folder exists and yet takes no new one (as `/proc`), Node's recursive mkdir never comes to an end.
 * @throws ProofroomError dependency_down
 */
async function assertCreatable(root: string): Promise<void> {
  const parent = await stat(dirname(root)).catch(() => null);
  if (parent === null) return;
  try {
    await mkdir(root);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return;
    throw new ProofroomError({
      code: "dependency_down",
      message: `The folder ${root} cannot be made.`,
      remedy: "Choose another with PROOFROOM_HOME or PROOFROOM_STORE.",
      disposition: { kind: "fail" },
      cause,
    });
  }
}

/**
 * Opens the store that the settings name: a folder, by default the home itself, or an S3 bucket.
 * @throws ProofroomError dependency_down where the folder cannot be made, invalid_input for a prefix that cannot be
 *   part of a key
 */
export async function openStore(settings: StoreSettings): Promise<ObjectStore> {
  if (settings.store.kind === "file") await assertCreatable(settings.store.folder);
  return openChosen(settings);
}
