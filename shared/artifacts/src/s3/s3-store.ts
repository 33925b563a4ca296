import type { Readable } from "node:stream";
import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";
import { ProofroomError } from "@proofroom/contracts";
import { assertRange, lookBefore, outgoing, outOfRange } from "../bodies.ts";
import { cancelled, conflict, hasCode, notFound, throwIfAborted } from "../failures.ts";
import { assertKey, folderOfPrefix, isKey } from "../keys.ts";
import type { Body, GetOptions, ObjectInfo, ObjectStore, PutOptions, StoredObject } from "../store.ts";
import { type Bucket, openBucket, type S3StoreOptions } from "./bucket.ts";
import { createBucketCheck } from "./bucket-check.ts";
import { bareEtag, createConditionalPut } from "./conditional-put.ts";
import { fromS3, statusOf } from "./errors.ts";
import { presignGet } from "./presign.ts";
import { createTryWriting } from "./try-writing.ts";

/** The facts that the server tells of an object, whole or in part. */
function infoOf(
  key: string,
  told: { ETag?: string | undefined; LastModified?: Date | undefined },
  size: number,
): ObjectInfo {
  return { key, size, etag: bareEtag(told.ETag), modified: told.LastModified ?? new Date(0) };
}

/** `bytes 2-5/10`: of a part, the size of the whole. */
function totalSize(out: GetObjectCommandOutput): number {
  const total = /\/(\d+)$/.exec(out.ContentRange ?? "")?.[1];
  return total === undefined ? (out.ContentLength ?? 0) : Number(total);
}

async function getObject(bucket: Bucket, key: string, options: GetOptions): Promise<StoredObject> {
  const { range, signal } = options;
  const Key = bucket.keyOf(key);
  const out = await bucket.send(signal, async (request) => {
    const command = new bucket.s3.GetObjectCommand({
      Bucket: bucket.name,
      Key,
      ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end ?? ""}` }),
    });
    try {
      return await bucket.client.send(command, request);
    } catch (error) {
      if (statusOf(error) === 416) throw outOfRange(error);
      throw error;
    }
  });
  const source = out.Body as Readable;
  if (range !== undefined && out.ContentRange === undefined && totalSize(out) > 0) {
    source.destroy();
    throw new ProofroomError({
      code: "dependency_down",
      message: "The object server does not answer ranges.",
      disposition: { kind: "fail" },
    });
  }
  const failure = (error: unknown) => (signal?.aborted === true ? cancelled(signal) : fromS3(error));
  return { info: infoOf(key, out, totalSize(out)), body: outgoing(source, { signal, failure }) };
}

/**
 * A store in an S3 bucket. Conditions are the server's (`If-None-Match: *`, `If-Match`): it must know them, as
 * AWS, MinIO and Ceph do. Of a streamed object above 8 MiB the condition is told at the completion of its multipart
 * upload, which Ceph ignores: there two concurrent writers of one large key are told apart only by a look before.
 * Etags are hashes of the content: an object that is replaced by the same content keeps its etag. Nothing is sent yet; whether the
 * bucket is there is asked before the first request.
 *
 * @throws ProofroomError invalid_input for a prefix outside the rules of keys
 */
export async function createS3Store(options: S3StoreOptions): Promise<ObjectStore> {
  const bucket = await openBucket(options);
  const assertBucket = createBucketCheck(bucket);
  const put = createConditionalPut(bucket);
  const tryWriting = createTryWriting(bucket);

  /** What stands before every request for an object. */
  async function ready(key: string, signal: AbortSignal | undefined): Promise<void> {
    assertKey(key);
    throwIfAborted(signal);
    await assertBucket(signal);
  }

  async function head(key: string, signal?: AbortSignal): Promise<ObjectInfo | null> {
    await ready(key, signal);
    const out = await bucket.head(key, signal);
    return out === null ? null : infoOf(key, out, out.ContentLength ?? 0);
  }

  return {
    async create(key: string, body: Body, options: PutOptions = {}): Promise<ObjectInfo> {
      await lookBefore(body, async () => {
        await ready(key, options.signal);
        // A stream can be sent once only, and is the longer way to a refusal.
        if (body instanceof ReadableStream && (await head(key, options.signal)) !== null)
          throw conflict("The object exists already.");
      });
      return put(key, body, null, options);
    },

    async replace(key: string, body: Body, etag: string, options: PutOptions = {}): Promise<ObjectInfo> {
      await lookBefore(body, async () => {
        await ready(key, options.signal);
        if (!(body instanceof ReadableStream)) return;
        const current = await head(key, options.signal);
        if (current === null) throw notFound();
        if (current.etag !== etag) throw conflict("The object has changed meanwhile.");
      });
      return put(key, body, etag, options);
    },

    async get(key: string, options: GetOptions = {}): Promise<StoredObject> {
      const { range, ...rest } = options;
      if (range !== undefined) assertRange(range);
      await ready(key, options.signal);
      if (range === undefined) return getObject(bucket, key, options);
      try {
        return await getObject(bucket, key, options);
      } catch (error) {
        if (!hasCode(error, "invalid_input") || range.start > 0) throw error;
        // Nothing of nothing: to HTTP no range fits an empty object.
        const whole = await getObject(bucket, key, rest);
        if (whole.info.size === 0) return whole;
        await whole.body.cancel();
        throw error;
      }
    },

    head: (key, options = {}) => head(key, options.signal),

    async *list(prefix: string, options: { signal?: AbortSignal } = {}): AsyncGenerator<ObjectInfo> {
      folderOfPrefix(prefix);
      await assertBucket(options.signal);
      let ContinuationToken: string | undefined;
      do {
        const token = ContinuationToken;
        const page = await bucket.send(options.signal, (request) =>
          bucket.client.send(
            new bucket.s3.ListObjectsV2Command({
              Bucket: bucket.name,
              Prefix: bucket.base + prefix,
              ...(token === undefined ? {} : { ContinuationToken: token }),
            }),
            request,
          ),
        );
        for (const found of page.Contents ?? []) {
          const key = (found.Key ?? "").slice(bucket.base.length);
          throwIfAborted(options.signal);
          if (isKey(key)) yield infoOf(key, found, found.Size ?? 0);
        }
        ContinuationToken = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      } while (ContinuationToken !== undefined);
    },

    async delete(key: string, options: { signal?: AbortSignal } = {}): Promise<void> {
      await ready(key, options.signal);
      const command = new bucket.s3.DeleteObjectCommand({ Bucket: bucket.name, Key: bucket.keyOf(key) });
      try {
        await bucket.send(options.signal, (request) => bucket.client.send(command, request));
      } catch (error) {
        if (!hasCode(error, "not_found")) throw error;
      }
    },

    presign: (key, options) => presignGet(bucket, key, options),

    async tryWriting(key, bytes, options = {}): Promise<void> {
      await ready(key, options.signal);
      await tryWriting(key, bytes, options);
    },

    async close(): Promise<void> {
      bucket.client.destroy();
      bucket.publicClient.destroy();
    },
  };
}
