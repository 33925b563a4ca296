import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { startMinioContainer } from "./containers/minio-container.ts";
import { makeBucket } from "./make-bucket.ts";
import { minio, moto, type S3Account, seaweedfs, startS3Program } from "./s3-program.ts";

export interface TestS3 extends S3Account {
  /** Which server it is, as people know it. */
  readonly name: "MinIO" | "MinIO in a container" | "SeaweedFS" | "moto" | "the server at S3_TEST_ENDPOINT";
  readonly endpoint: string;
  readonly region: string;
  /** A bucket that exists; what a test puts in, it takes out again. */
  readonly bucket: string;
  close(): Promise<void>;
}

type Env = Readonly<Record<string, string | undefined>>;

const account: S3Account = {
  bucket: "proofroom-test",
  credentials: { accessKeyId: "proofroom-test", secretAccessKey: "proofroom-test-secret" },
};
const region = "us-east-1";

async function executable(path: string | undefined): Promise<string | null> {
  if (path === undefined || path === "") return null;
  return access(path, constants.X_OK).then(
    () => path,
    () => null,
  );
}

async function onPath(env: Env, name: string): Promise<string | null> {
  for (const folder of (env["PATH"] ?? "").split(delimiter)) {
    const found = await executable(join(folder, name));
    if (found !== null) return found;
  }
  return null;
}

/** Whether a program can be started at all: managers of Python versions put in place of moto what only says no. */
function starts(program: string, env: Env): Promise<boolean> {
  return promisify(execFile)(program, ["--help"], { env: { PATH: env["PATH"] } }).then(
    () => true,
    () => false,
  );
}

/**
 * An S3 server for a test: the one that S3_TEST_ENDPOINT, S3_TEST_BUCKET, S3_TEST_ACCESS_KEY_ID and S3_TEST_SECRET_ACCESS_KEY
 * name; else SeaweedFS, where SEAWEEDFS_BIN names one; else a MinIO in a container (where DOCKER_HOST names an engine, MINIO_IMAGE
 * the image); else one as a process (MINIO_BIN, or on the PATH); else moto. `scripts/build-s3-server.sh` builds MinIO and
 * SeaweedFS. Null where there is none: the test must then say that it did not run.
 *
 * @param env the environment, which a test reads
 */
export async function startS3Server(env: Env): Promise<TestS3 | null> {
  const endpoint = env["S3_TEST_ENDPOINT"];
  if (endpoint !== undefined && endpoint !== "") {
    return {
      name: "the server at S3_TEST_ENDPOINT",
      endpoint,
      region: env["S3_TEST_REGION"] ?? region,
      credentials: {
        accessKeyId: env["S3_TEST_ACCESS_KEY_ID"] ?? "",
        secretAccessKey: env["S3_TEST_SECRET_ACCESS_KEY"] ?? "",
      },
      bucket: env["S3_TEST_BUCKET"] ?? account.bucket,
      close: async () => undefined,
    };
  }
  const weed = await executable(env["SEAWEEDFS_BIN"]);
  if (weed !== null) {
    const server = await startS3Program(seaweedfs, weed, account, env["PATH"]);
    try {
      await makeBucket({ region, ...account, ...server });
    } catch (error) {
      await server.close();
      throw error;
    }
    return { name: "SeaweedFS", region, ...account, ...server };
  }
  const image = env["MINIO_IMAGE"];
  if (env["DOCKER_HOST"] && image) {
    const server = await startMinioContainer({ image, region, ...account });
    return { name: "MinIO in a container", region, ...account, ...server };
  }
  const server = (await executable(env["MINIO_BIN"])) ?? (await onPath(env, "minio"));
  if (server !== null) {
    return {
      name: "MinIO",
      region,
      ...account,
      ...(await startS3Program(minio, server, account, env["PATH"])),
    };
  }
  const motoServer = await onPath(env, "moto_server");
  if (motoServer === null || !(await starts(motoServer, env))) return null;
  return {
    name: "moto",
    region,
    ...account,
    ...(await startS3Program(moto, motoServer, account, env["PATH"])),
  };
}
