import type { Bucket } from "./bucket.ts";
import { noSuchBucket, statusOf } from "./errors.ts";

/**
 * Asks whether the bucket is there, before the first request of a store, until the answer is yes: some servers make a bucket that is
 * written to, so that nobody would hear of a misspelt name. The store can be opened while its server is away.
 *
 * What it answers throws ProofroomError not_configured where the bucket is missing, dependency_down where the server does not say.
 */
export function createBucketCheck({
  name,
  client,
  s3,
  send,
}: Bucket): (signal: AbortSignal | undefined) => Promise<void> {
  let isKnown = false;
  return async (signal) => {
    if (isKnown) return;
    await send(signal, async (request) => {
      try {
        await client.send(new s3.HeadBucketCommand({ Bucket: name }), request);
      } catch (error) {
        const status = statusOf(error);
        if (status === 404) throw noSuchBucket(error);
        // Who may not list the bucket, or reaches another region, is refused without a word here: the request itself tells more.
        if (status === undefined || status === 408 || status === 429 || status >= 500) throw error;
      }
    });
    isKnown = true;
  };
}
