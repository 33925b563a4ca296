import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { createFsStore, createS3Store, type ObjectStore } from "@proofroom/artifacts";
import { ProofroomError } from "@proofroom/contracts";
import { type Settings, userPath } from "../settings.ts";

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
 * @throws ProofroomError invalid_input for a prefix that cannot be part of a key
 */
export async function openStore(settings: Settings): Promise<ObjectStore> {
  const { store, s3 } = settings;
  if (store?.kind !== "s3") {
    const root = store === undefined ? settings.home : userPath(settings, store.folder);
    await assertCreatable(root);
    return createFsStore({ root });
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
