import { prepareStore } from "@proofroom/artifacts";
import type { S3Account } from "./s3-program.ts";

/** How long a server may take that answers already, in milliseconds. */
const patience = 30_000;

/** Has the bucket of a test made as that of a deployment is, versions included. */
export async function makeBucket({
  bucket,
  credentials: { accessKeyId, secretAccessKey },
  endpoint,
  region,
}: S3Account & { endpoint: string; region: string }): Promise<void> {
  const secret = { reveal: () => secretAccessKey };
  const s3 = { endpoint, region, forcePathStyle: true, accessKeyId, secretAccessKey: secret };
  await prepareStore({ store: { kind: "s3", bucket, prefix: "" }, s3 }, AbortSignal.timeout(patience));
}
