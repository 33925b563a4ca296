import { createFsStore } from "./fs/fs-store.ts";
import type { S3StoreOptions } from "./s3/bucket.ts";
import { createS3Store } from "./s3/s3-store.ts";
import type { ObjectStore } from "./store.ts";

/** A text that shows itself only when asked. */
interface Revealed {
  reveal(): string;
}

/** Where a store is and how it is reached, as the environment tells it. */
export interface StoreSettings {
  store: { kind: "file"; folder: string } | { kind: "s3"; bucket: string; prefix: string };
  s3: Pick<S3StoreOptions, "endpoint" | "publicEndpoint" | "forcePathStyle" | "region"> & {
    accessKeyId?: string | undefined;
    secretAccessKey?: Revealed | undefined;
    sessionToken?: Revealed | undefined;
  };
}

/**
 * Opens the store that the settings name: a folder or an S3 bucket.
 * @throws ProofroomError invalid_input for a prefix that cannot be part of a key
 */
export async function openStore({ store, s3 }: StoreSettings): Promise<ObjectStore> {
  if (store.kind === "file") return createFsStore({ root: store.folder });
  return createS3Store(bucketOptions(store, s3));
}

/** The bucket that the settings name, as the S3 store takes it. */
export function bucketOptions(
  store: { bucket: string; prefix: string },
  s3: StoreSettings["s3"],
): S3StoreOptions {
  const { accessKeyId, secretAccessKey, sessionToken, ...server } = s3;
  return {
    bucket: store.bucket,
    prefix: store.prefix,
    ...server,
    // Without keys of its own the SDK's chain finds some.
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey: secretAccessKey.reveal(), sessionToken: sessionToken?.reveal() },
  };
}
