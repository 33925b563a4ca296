import { join } from "node:path";
import { createFsStore, createS3Store, type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { makeTempFolder, startS3Server, type TempFolder, type TestS3 } from "@proofroom/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunResult } from "./output/results.ts";
import { runCli } from "./testing/run-cli.ts";

const server: TestS3 | null = await startS3Server(process.env);
const mode = server === null ? "did not run: no S3 server is to be had" : `ran on ${server.name}`;
process.stderr.write(`The example in a bucket: ${mode}\n`);
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

/** The hash of every artifact's newest version. */
async function hashesOf(store: ObjectStore, runId: string): Promise<Record<string, string>> {
  const artifacts = openRunArtifacts(store, runId);
  const names = [...(await artifacts.heads()).keys()].sort();
  const newest = await Promise.all(names.map((name) => artifacts.latest(name)));
  return Object.fromEntries(names.map((name, at) => [name, newest[at]?.sha256 ?? ""]));
}

/** What tells of the run itself: when its sources were read, how long its code took, its id on the page. */
const ofOneRun = /^(article\.html|\.nova\/(sources|sources\/.*|gathered\/.*|sandbox_.*|uploads).*\.json)$/;

it("says on what the example in a bucket ran", () => {
  expect(mode).toMatch(server === null ? /^did not run/ : /^ran on/);
});

it.runIf(server !== null)(
  "the example has the same artifacts in a folder and in a bucket, to their hashes",
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
      const [one, other] = await Promise.all([hashesOf(near, inFolder), hashesOf(far, inBucket)]);
      expect(Object.keys(other)).toEqual(Object.keys(one));
      const differ = Object.keys(one).filter((name) => one[name] !== other[name]);
      expect(differ.filter((name) => !ofOneRun.test(name))).toEqual([]);
      expect(Object.keys(one).length - differ.length).toBeGreaterThan(5);
    } finally {
      for await (const { key } of far.list("")) await far.delete(key);
      await Promise.all([near.close(), far.close()]);
    }
  },
);
