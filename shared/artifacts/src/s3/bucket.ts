import type { HeadObjectCommandOutput, S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import { ProofroomError } from "@proofroom/contracts";
import { cancelled } from "../failures.ts";
import { assertKey } from "../keys.ts";
import { fromS3, statusOf } from "./errors.ts";

export interface S3StoreOptions {
  bucket: string;
  /** Objects lie below this prefix of the bucket, given without slashes at its ends; none by default. */
  prefix?: string | undefined;
  /** URL of the server; AWS by default. */
  endpoint?: string | undefined;
  /** URL under which the readers of links reach the server; `endpoint` by default. */
  publicEndpoint?: string | undefined;
  /** Whether the bucket is part of the path rather than of the host name, as most servers other than AWS need it. */
  forcePathStyle?: boolean | undefined;
  /** By default what the SDK finds, or `us-east-1` with an endpoint of one's own. */
  region?: string | undefined;
  /** By default what the SDK's chain finds: profiles, instance roles. */
  credentials?:
    | { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }
    | undefined;
  /** After so long without a byte a request is given up, in milliseconds; 30 s by default. */
  idleTimeoutMs?: number | undefined;
}

/** One bucket, and the parts of the SDK that speak to it. */
export interface Bucket {
  readonly name: string;
  readonly client: S3Client;
  /** Only signs: nothing is sent by it. */
  readonly publicClient: S3Client;
  readonly s3: typeof import("@aws-sdk/client-s3");
  readonly storage: typeof import("@aws-sdk/lib-storage");
  /** Prefix of all keys in the bucket; "" or with a slash at its end. */
  readonly base: string;
  /** @throws ProofroomError invalid_input */
  keyOf(key: string): string;
  head(key: string, signal: AbortSignal | undefined): Promise<HeadObjectCommandOutput | null>;
  /** Sends a request; its failure becomes ours. */
  send<T>(signal: AbortSignal | undefined, work: (options: RequestOptions) => Promise<T>): Promise<T>;
}

interface RequestOptions {
  abortSignal?: AbortSignal;
}

/** A key may have 1,024 bytes in S3 and 900 in Proofroom. */
const prefixLimit = 120;
const maxAttempts = 4;
const connectionTimeout = 5_000;
/** Until the answer begins, the sending of one part included. */
const requestTimeout = 120_000;

function baseOf(prefix: string): string {
  if (prefix === "") return "";
  if (Buffer.byteLength(prefix) > prefixLimit) {
    throw new ProofroomError({
      code: "invalid_input",
      message: `The prefix of the store is longer than ${prefixLimit} bytes.`,
      remedy: "Correct PROOFROOM_STORE.",
    });
  }
  return `${assertKey(prefix)}/`;
}

/** Loads the SDK, which takes a while, and opens the bucket; nothing is sent yet. */
export async function openBucket(options: S3StoreOptions): Promise<Bucket> {
  const base = baseOf(options.prefix ?? "");
  const [s3, storage] = await Promise.all([import("@aws-sdk/client-s3"), import("@aws-sdk/lib-storage")]);
  const region = options.region ?? (options.endpoint === undefined ? undefined : "us-east-1");
  const { credentials } = options;
  const settings: S3ClientConfig = {
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(credentials === undefined
      ? {}
      : {
          credentials: {
            accessKeyId: credentials.accessKeyId,
            secretAccessKey: credentials.secretAccessKey,
            ...(credentials.sessionToken === undefined ? {} : { sessionToken: credentials.sessionToken }),
          },
        }),
    forcePathStyle: options.forcePathStyle ?? false,
    // The checksums that the SDK adds of its own accord break stores other than AWS.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    retryMode: "standard",
    maxAttempts,
    requestHandler: {
      connectionTimeout,
      requestTimeout,
      throwOnRequestTimeout: true,
      socketTimeout: options.idleTimeoutMs ?? 30_000,
    },
  };
  const client = new s3.S3Client(settings);
  const { publicEndpoint } = options;
  const publicClient =
    publicEndpoint === undefined ? client : new s3.S3Client({ ...settings, endpoint: publicEndpoint });

  const keyOf = (key: string) => base + assertKey(key);

  async function send<T>(
    signal: AbortSignal | undefined,
    work: (options: RequestOptions) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(signal === undefined ? {} : { abortSignal: signal });
    } catch (error) {
      throw signal?.aborted === true ? cancelled(signal) : fromS3(error);
    }
  }

  return {
    name: options.bucket,
    client,
    publicClient,
    s3,
    storage,
    base,
    keyOf,
    send,
    head: (key, signal) =>
      send(signal, async (request) => {
        try {
          return await client.send(
            new s3.HeadObjectCommand({ Bucket: options.bucket, Key: keyOf(key) }),
            request,
          );
        } catch (error) {
          if (statusOf(error) === 404) return null;
          throw error;
        }
      }),
  };
}
