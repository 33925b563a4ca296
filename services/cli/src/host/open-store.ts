import { createFsStore, createS3Store, type ObjectStore } from "@proofroom/artifacts";
import { type Settings, userPath } from "../settings.ts";

/**
 * Opens the store that the settings name: a folder, by default the home itself, or an S3 bucket.
 * @throws ProofroomError invalid_input for a prefix that cannot be part of a key
 */
export async function openStore(settings: Settings): Promise<ObjectStore> {
  const { store, s3 } = settings;
  if (store?.kind !== "s3") {
    return createFsStore({ root: store === undefined ? settings.home : userPath(settings, store.folder) });
  }
  const { accessKeyId, secretAccessKey, sessionToken } = s3;
  return createS3Store({
    bucket: store.bucket,
    prefix: store.prefix,
    endpoint: s3.endpoint,
    forcePathStyle: s3.forcePathStyle,
    region: s3.region,
    // Without keys of its own the SDK's chain finds some.
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey: secretAccessKey.reveal(), sessionToken: sessionToken?.reveal() },
  });
}
