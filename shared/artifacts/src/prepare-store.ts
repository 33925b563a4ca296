import { ProofroomError } from "@proofroom/contracts";
import { bucketOptions, type StoreSettings } from "./open-store.ts";
import { openBucket } from "./s3/bucket.ts";
import { isS3Error, statusOf } from "./s3/errors.ts";

/** What of a bucket's settings the server took. */
export interface PreparedStore {
  bucket: string;
  created: boolean;
  versioning: boolean;
  lifecycle: boolean;
}

/** How long what was replaced or deleted can be had back, and an upload that was cut short takes room, in days. */
const keepReplacedDays = 7;
const keepUnfinishedDays = 1;

/**
 * Makes the bucket that the settings name, where there is none, and has its server keep what is replaced or deleted for a
 * week; other rules of the bucket stay. A server that knows no versions or no lifecycle is told of in the answer, and is no error: artifacts have versions of
 * their own.
 *
 * @throws ProofroomError invalid_input for a store that is no bucket, dependency_down
 */
export async function prepareStore(settings: StoreSettings, signal?: AbortSignal): Promise<PreparedStore> {
  const { store } = settings;
  if (store.kind !== "s3") {
    throw new ProofroomError({
      code: "invalid_input",
      message: "The store is a folder, which needs no preparation.",
      remedy: "Set PROOFROOM_STORE to s3://BUCKET.",
    });
  }
  const bucket = await openBucket(bucketOptions(store, settings.s3));
  const { client, s3, name: Bucket } = bucket;
  const taken = (work: Parameters<typeof bucket.send<unknown>>[1]) =>
    bucket.send(signal, async (request) => {
      try {
        await work(request);
        return true;
      } catch (error) {
        if (statusOf(error) === 501 || isS3Error(error, "NotImplemented")) return false;
        throw error;
      }
    });
  try {
    const created = await bucket.send(signal, async (request) => {
      try {
        await client.send(new s3.HeadBucketCommand({ Bucket }), request);
        return false;
      } catch (error) {
        if (statusOf(error) !== 404) throw error;
      }
      try {
        await client.send(new s3.CreateBucketCommand({ Bucket }), request);
        return true;
      } catch (error) {
        // Somebody else was faster.
        if (isS3Error(error, "BucketAlreadyOwnedByYou", "BucketAlreadyExists")) return false;
        throw error;
      }
    });
    const versioning = await taken((request) =>
      client.send(
        new s3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }),
        request,
      ),
    );
    const id = `proofroom-replaced-${bucket.base.replace(/[^\w-]+/g, "-")}`;
    const rulesOf = async (request: Parameters<typeof client.send>[1]) => {
      try {
        const command = new s3.GetBucketLifecycleConfigurationCommand({ Bucket });
        return (await client.send(command, request)).Rules ?? [];
      } catch (error) {
        if (statusOf(error) === 404) return [];
        throw error;
      }
    };
    const lifecycle = await taken(async (request) =>
      client.send(
        new s3.PutBucketLifecycleConfigurationCommand({
          Bucket,
          LifecycleConfiguration: {
            Rules: [
              // A bucket has one list of rules, and those of others stay in it.
              ...(await rulesOf(request)).filter(({ ID }) => ID !== id),
              {
                ID: id,
                Status: "Enabled",
                Filter: { Prefix: bucket.base },
                // Of what was deleted only a marker is left in the end, which lists would go on reading.
                Expiration: { ExpiredObjectDeleteMarker: true },
                NoncurrentVersionExpiration: { NoncurrentDays: keepReplacedDays },
                AbortIncompleteMultipartUpload: { DaysAfterInitiation: keepUnfinishedDays },
              },
            ],
          },
        }),
        request,
      ),
    );
    return { bucket: Bucket, created, versioning, lifecycle };
  } finally {
    client.destroy();
    bucket.publicClient.destroy();
  }
}
