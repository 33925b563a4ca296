import type { ObjectStore } from "../store.ts";
import type { Bucket } from "./bucket.ts";

/**
 * Begins an upload in parts, sends one and takes it back: the server keeps the bytes for that long, and no object, version or
 * delete marker comes of it. An upload that is cut short in between goes with the bucket's rule for those.
 */
export function createTryWriting(bucket: Bucket): NonNullable<ObjectStore["tryWriting"]> {
  const { name, client, s3, send } = bucket;
  return async (key, bytes, { signal } = {}) => {
    const place = { Bucket: name, Key: bucket.keyOf(key) };
    const { UploadId } = await send(signal, (request) =>
      client.send(new s3.CreateMultipartUploadCommand(place), request),
    );
    try {
      const part = new s3.UploadPartCommand({ ...place, UploadId, PartNumber: 1, Body: bytes });
      await send(signal, (request) => client.send(part, request));
    } finally {
      // Also where the signal has ended the rest.
      await send(undefined, (request) =>
        client.send(new s3.AbortMultipartUploadCommand({ ...place, UploadId }), request),
      );
    }
  };
}
