import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { ProofroomError } from "@proofroom/contracts";
import { type Settings, userPath } from "../settings.ts";

/** Opens the store that the settings name: a folder, by default the home itself, or an S3 bucket. */
export async function openStore(settings: Settings): Promise<ObjectStore> {
  const { store } = settings;
  if (store?.kind === "s3") {
    throw new ProofroomError({
      code: "not_configured",
      message: "This build keeps runs in folders only.",
      remedy: "Set PROOFROOM_STORE to file:DIR.",
    });
  }
  return createFsStore({ root: store === undefined ? settings.home : userPath(settings, store.folder) });
}
