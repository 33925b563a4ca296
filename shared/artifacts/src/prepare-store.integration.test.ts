import { randomUUID } from "node:crypto";
import {
  DeleteBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  PutBucketLifecycleConfigurationCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { startS3Server, type TestS3 } from "@proofroom/testing";
import { afterAll, expect, it } from "vitest";
import type { StoreSettings } from "./open-store.ts";
import { prepareStore } from "./prepare-store.ts";
import { expectFailure } from "./testing/bytes.ts";

const server = await startS3Server(process.env);
const mode = server === null ? "did not run: no S3 server is to be had" : `ran on ${server.name}`;
process.stderr.write(`S3 tests: ${mode}\n`);

afterAll(() => server?.close());

function settingsOf({ endpoint, region, credentials }: TestS3): StoreSettings["s3"] {
  return {
    endpoint,
    region,
    forcePathStyle: true,
    accessKeyId: credentials.accessKeyId,
    secretAccessKey: { reveal: () => credentials.secretAccessKey },
  };
}

function clientOf({ endpoint, region, credentials }: TestS3): S3Client {
  return new S3Client({ endpoint, region, credentials, forcePathStyle: true });
}

const bucketAt = (bucket: string, s3: StoreSettings["s3"]): StoreSettings => ({
  store: { kind: "s3", bucket, prefix: "team" },
  s3,
});

it.runIf(server !== null)("a bucket is made once, and keeps what is replaced for a while", async () => {
  if (server === null) return;
  const bucket = `proofroom-${randomUUID()}`;
  const settings = bucketAt(bucket, settingsOf(server));
  const client = clientOf(server);
  try {
    const done = { bucket, versioning: true, lifecycle: true };
    expect(await prepareStore(settings)).toEqual({ ...done, created: true });
    expect(await prepareStore(settings)).toEqual({ ...done, created: false });
    const { Status } = await client.send(new GetBucketVersioningCommand({ Bucket: bucket }));
    expect(Status).toBe("Enabled");
    const { Rules } = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket: bucket }));
    expect(Rules).toMatchObject([
      { Status: "Enabled", NoncurrentVersionExpiration: { NoncurrentDays: 7 }, Filter: { Prefix: "team/" } },
    ]);
  } finally {
    await client.send(new DeleteBucketCommand({ Bucket: bucket }));
    client.destroy();
  }
});

it.runIf(server !== null)(
  "the rules of others for the same bucket stay, and its own is there once",
  async () => {
    if (server === null) return;
    const bucket = `proofroom-${randomUUID()}`;
    const client = clientOf(server);
    try {
      await prepareStore(bucketAt(bucket, settingsOf(server)));
      const theirs = {
        ID: "theirs",
        Status: "Enabled",
        Filter: { Prefix: "x/" },
        Expiration: { Days: 30 },
      } as const;
      await client.send(
        new PutBucketLifecycleConfigurationCommand({
          Bucket: bucket,
          LifecycleConfiguration: { Rules: [theirs] },
        }),
      );
      await prepareStore(bucketAt(bucket, settingsOf(server)));
      await prepareStore(bucketAt(bucket, settingsOf(server)));
      const { Rules = [] } = await client.send(
        new GetBucketLifecycleConfigurationCommand({ Bucket: bucket }),
      );
      expect(Rules.map(({ ID }) => ID)).toEqual(["theirs", "proofroom-replaced-team-"]);
    } finally {
      await client.send(new DeleteBucketCommand({ Bucket: bucket }));
      client.destroy();
    }
  },
);

it("a server that is away is told of as such, and a folder needs no preparation", async () => {
  const gone = {
    endpoint: "http://127.0.0.1:1",
    forcePathStyle: true,
    accessKeyId: "a",
    secretAccessKey: { reveal: () => "b" },
  };
  await expectFailure(prepareStore(bucketAt("runs", gone)), "dependency_down");
  await expectFailure(prepareStore({ store: { kind: "file", folder: "/x" }, s3: gone }), "invalid_input");
});
