import { randomUUID } from "node:crypto";
import {
  DeleteBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  PutBucketLifecycleConfigurationCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { eventually, s3ForTests, type TestS3 } from "@proofroom/testing";
import { afterAll, expect, it } from "vitest";
import { openStore, type StoreSettings } from "./open-store.ts";
import { prepareStore } from "./prepare-store.ts";
import type { ObjectStore } from "./store.ts";
import { expectFailure } from "./testing/bytes.ts";
import { watchWrites } from "./watch-writes.ts";

const { server, told, isLacking } = await s3ForTests("The preparing of a store on S3", process.env);

afterAll(() => server?.close());

it(`the preparing of a store on S3 ${told}`, () => {
  expect(isLacking).toBe(false);
});

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
      {
        Status: "Enabled",
        Filter: { Prefix: "team/" },
        Expiration: { ExpiredObjectDeleteMarker: true },
        NoncurrentVersionExpiration: { NoncurrentDays: 7 },
      },
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

/** In milliseconds. */
const patience = 60_000;

it.runIf(server !== null)(
  "trying again and again whether the bucket takes anything leaves no versions",
  { timeout: 4 * patience },
  async () => {
    if (server === null) return;
    const bucket = `proofroom-${randomUUID()}`;
    const settings = bucketAt(bucket, settingsOf(server));
    const client = clientOf(server);
    await prepareStore(settings);
    let tried = 0;
    const store = await openStore(settings);
    const counting: ObjectStore = {
      ...store,
      async tryWriting(...trial) {
        await store.tryWriting?.(...trial);
        tried += 1;
      },
    };
    const watch = watchWrites(counting, { everyMs: 1 });
    try {
      // SeaweedFS takes its time for the first of a bucket: it makes volumes for it.
      await eventually(() => tried >= 10, patience);
      expect(watch.obstacles()).toEqual([]);
      watch.stop();
      const { Versions = [], DeleteMarkers = [] } = await client.send(
        new ListObjectVersionsCommand({ Bucket: bucket }),
      );
      expect([...Versions, ...DeleteMarkers]).toEqual([]);
    } finally {
      watch.stop();
      await eventually(async () => {
        const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
        return Uploads.length === 0;
      }, patience);
      await store.close();
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
