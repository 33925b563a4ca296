import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { HeadObjectCommandOutput, PutObjectCommandInput, S3Client } from "@aws-sdk/client-s3";
import { isProofroomError, type ProofroomError } from "@proofroom/contracts";
import { incoming } from "../bodies.ts";
import { cancelled, conflict, notFound } from "../failures.ts";
import type { Body, ObjectInfo, PutOptions } from "../store.ts";
import type { Bucket } from "./bucket.ts";
import { fromS3, isS3Error, statusOf } from "./errors.ts";

/** Streams are sent in parts of this size, in bytes; up to two are in memory. What fits into one part is one request. */
export const partSize = 8 * 1024 * 1024;

/** How often a write is sent that the server refuses though its condition holds. */
const attemptLimit = 8;

/** Metadata that tells our write from another's, where the answer to it was lost. */
const markName = "write";

export function bareEtag(etag: string | undefined): string {
  return (etag ?? "").replace(/^(W\/)?"|"$/g, "");
}

function changed(cause: unknown): ProofroomError {
  return conflict("The object has been written by another meanwhile.", cause);
}

/**
 * Conditional writes. The etag is sent bare, as AWS shows it and as Ceph demands it; a server that insists on the
 * quotes of RFC 9110 is found out when it refuses an etag that holds, and is sent them from then on.
 */
export function createConditionalPut(bucket: Bucket): ConditionalPut {
  let quoted = false;

  /** The client as an upload uses it: every request ends with the signal but the one that removes the parts. */
  function clientUntil(signal: AbortSignal | undefined): S3Client {
    if (signal === undefined) return bucket.client;
    const { AbortMultipartUploadCommand } = bucket.s3;
    const send = (command: Parameters<S3Client["send"]>[0]) =>
      bucket.client.send(
        command,
        command instanceof AbortMultipartUploadCommand ? {} : { abortSignal: signal },
      );
    return { config: bucket.client.config, send } as unknown as S3Client;
  }

  async function sendStream(
    input: PutObjectCommandInput,
    body: AsyncIterable<Uint8Array>,
    signal: AbortSignal | undefined,
  ): Promise<{ ETag?: string | undefined }> {
    // Objects cannot be streamed to S3 without their length, so larger ones become multipart uploads, whose
    // condition is told at their completion. The library's own way of aborting does not wait for the parts to be
    // removed, nor ends its requests.
    const source = Readable.from(body, { objectMode: false });
    const upload = new bucket.storage.Upload({
      client: clientUntil(signal),
      params: { ...input, Body: source },
      partSize,
      queueSize: 2,
    });
    try {
      return await upload.done();
    } finally {
      source.destroy();
    }
  }

  /**
   * What became of a write that was refused. It may have succeeded: then the first answer to it was lost, and the
   * SDK asked again. Null: it is worth another attempt.
   * @throws ProofroomError conflict, not_found
   */
  async function afterRefusal(
    write: { key: string; etag: string | null; mark: string },
    refusal: unknown,
    signal: AbortSignal | undefined,
  ): Promise<HeadObjectCommandOutput | null> {
    const current = await bucket.head(write.key, signal);
    if (current?.Metadata?.[markName] === write.mark) return current;
    if (current === null && write.etag !== null) throw notFound(refusal);
    if (current !== null && bareEtag(current.ETag) !== write.etag) throw changed(refusal);
    if (write.etag !== null && statusOf(refusal) === 412) quoted = !quoted;
    return null;
  }

  return async function put(key, body, etag, options = {}) {
    const { signal } = options;
    const mark = randomUUID();
    let size = 0;
    const input = (): PutObjectCommandInput => ({
      Bucket: bucket.name,
      Key: bucket.keyOf(key),
      Metadata: { [markName]: mark },
      ...(options.mediaType === undefined ? {} : { ContentType: options.mediaType }),
      ...(etag === null ? { IfNoneMatch: "*" } : { IfMatch: quoted ? `"${etag}"` : etag }),
    });

    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const chunk of incoming(body, options)) {
        size += chunk.byteLength;
        yield chunk;
      }
    }

    async function send(): Promise<{ ETag?: string | undefined }> {
      if (body instanceof ReadableStream) return sendStream(input(), counted(), signal);
      const chunks: Uint8Array[] = [];
      size = 0;
      for await (const chunk of counted()) chunks.push(chunk);
      const command = new bucket.s3.PutObjectCommand({ ...input(), Body: chunks[0] ?? new Uint8Array() });
      return bucket.client.send(command, signal === undefined ? {} : { abortSignal: signal });
    }

    const stored = (etagNow: string | undefined): ObjectInfo => ({
      key,
      size,
      etag: bareEtag(etagNow),
      modified: new Date(),
    });

    for (let attempt = 1; ; attempt += 1) {
      try {
        return stored((await send()).ETag);
      } catch (error) {
        if (signal?.aborted === true) throw cancelled(signal);
        if (isProofroomError(error)) throw error;
        // An upload that is gone has been completed, by us perhaps, or removed.
        const undecided = isS3Error(error, "ConditionalRequestConflict", "NoSuchUpload");
        if (!undecided && statusOf(error) !== 412) throw fromS3(error);
        const current = await afterRefusal({ key, etag, mark }, error, signal);
        if (current !== null) return stored(current.ETag);
        if (body instanceof ReadableStream || attempt === attemptLimit) throw changed(error);
        await pause(Math.random() * 20 * 2 ** Math.min(attempt, 6));
      }
    }
  };
}

export type ConditionalPut = (
  key: string,
  body: Body,
  etag: string | null,
  options?: PutOptions,
) => Promise<ObjectInfo>;
