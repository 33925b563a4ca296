import { join } from "node:path";
import { createFsStore, createS3Store, type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { makeTempFolder, s3ForTests, type TempFolder, type TestS3 } from "@proofroom/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunResult } from "./output/results.ts";
import { withoutOneRun } from "./testing/colophon.ts";
import { runCli } from "./testing/run-cli.ts";

const { server, told, isLacking } = await s3ForTests("The example in a bucket", process.env);
let folder: TempFolder;

beforeAll(async () => {
  folder = await makeTempFolder();
});

afterAll(async () => {
  await server?.close();
  await folder.close();
});

/** Writes the example into a store; answers its run. */
async function example(name: string, env: Record<string, string>): Promise<string> {
  const options = { home: join(folder.path, name), cwd: folder.path, env };
  const done = await runCli(
    ["write", "--example", "--json", "--out", join(folder.path, `${name}-out`)],
    options,
  );
  expect(done.code, done.stderr).toBe(0);
  return (JSON.parse(done.stdout) as RunResult).run_id;
}

/** Every artifact's newest version, without what tells of the run itself. */
async function textsOf(store: ObjectStore, runId: string): Promise<Record<string, string>> {
  const artifacts = openRunArtifacts(store, runId);
  const names = [...(await artifacts.heads()).keys()].sort();
  const texts = await Promise.all(
    names.map(async (name) => {
      const newest = await artifacts.latest(name);
      if (newest === null) throw new Error(`${name} has no version`);
      return withoutOneRun(name, Buffer.from(await artifacts.read(name, newest)).toString("utf8"));
    }),
  );
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? ""]));
}

it(`the example in a bucket ${told}`, () => {
  expect(isLacking).toBe(false);
});

it.runIf(server !== null)(
  "the example has the same artifacts in a folder and in a bucket, but for times and the name of the run",
  { timeout: 180_000 },
  async () => {
    const s3 = server as TestS3;
    const prefix = `stores-${process.pid}`;
    const bucket = {
      bucket: s3.bucket,
      prefix,
      endpoint: s3.endpoint,
      region: s3.region,
      forcePathStyle: true,
    };
    const near = createFsStore({ root: join(folder.path, "near") });
    const far = await createS3Store({ ...bucket, credentials: s3.credentials });
    try {
      const inFolder = await example("near", {});
      const inBucket = await example("far", {
        PROOFROOM_STORE: `s3://${s3.bucket}/${prefix}`,
        S3_ENDPOINT: s3.endpoint,
        S3_FORCE_PATH_STYLE: "1",
        AWS_REGION: s3.region,
        AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
      });
      const [one, other] = await Promise.all([textsOf(near, inFolder), textsOf(far, inBucket)]);
      expect(Object.keys(one).length).toBeGreaterThan(25);
      expect(other).toEqual(one);
    } finally {
      for await (const { key } of far.list("")) await far.delete(key);
      await Promise.all([near.close(), far.close()]);
    }
  },
);
