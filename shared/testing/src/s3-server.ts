import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, constants, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { startMinioContainer } from "./containers/minio-container.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";

export interface TestS3 {
  /** Which server it is, as people know it. */
  readonly name: "MinIO" | "MinIO in a container" | "moto" | "the server at S3_TEST_ENDPOINT";
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { accessKeyId: string; secretAccessKey: string };
  /** A bucket that exists; what a test puts in, it takes out again. */
  readonly bucket: string;
  close(): Promise<void>;
}

type Env = Readonly<Record<string, string | undefined>>;

const bucket = "proofroom-test";
const credentials = { accessKeyId: "proofroom-test", secretAccessKey: "proofroom-test-secret" };
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

interface Command {
  name: "MinIO" | "moto";
  program: string;
  args(port: number, data: string): string[];
  /** Makes the bucket before or after the server has started. */
  prepare(data: string): Promise<unknown>;
  ready(endpoint: string): Promise<boolean>;
}

async function start(command: Command, env: Env): Promise<TestS3> {
  const folder = await mkdtemp(join(tmpdir(), "proofroom-s3-"));
  const data = join(folder, "data");
  await mkdir(data);
  await command.prepare(data);
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child: ChildProcess = spawn(command.program, command.args(port, data), {
    stdio: "ignore",
    cwd: folder,
    env: {
      PATH: env["PATH"],
      HOME: folder,
      MINIO_ROOT_USER: credentials.accessKeyId,
      MINIO_ROOT_PASSWORD: credentials.secretAccessKey,
      MINIO_BROWSER: "off",
    },
  });
  const gone = once(child, "exit");

  async function close(): Promise<void> {
    child.kill("SIGTERM");
    await gone;
    await rm(folder, { recursive: true, force: true });
  }

  try {
    const ended = gone.then(() => {
      throw new Error(`${command.program} ended as it started`);
    });
    await Promise.race([ended, eventually(() => command.ready(endpoint).catch(() => false), 30_000)]);
  } catch (error) {
    await close();
    throw error;
  }
  return { name: command.name, endpoint, region, credentials, bucket, close };
}

/**
 * An S3 server for a test: the one that S3_TEST_ENDPOINT, S3_TEST_BUCKET, S3_TEST_ACCESS_KEY_ID and
 * S3_TEST_SECRET_ACCESS_KEY name, else a MinIO in a container (where DOCKER_HOST names an engine, MINIO_IMAGE the image), else
 * one as a process (MINIO_BIN, or on the PATH; scripts/build-minio.sh builds one), else moto. Null where there is none: the test must then say that it did not run.
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
      bucket: env["S3_TEST_BUCKET"] ?? bucket,
      close: async () => undefined,
    };
  }
  const image = env["MINIO_IMAGE"];
  if (env["DOCKER_HOST"] && image) {
    const server = await startMinioContainer({ image, bucket, region, credentials });
    return { name: "MinIO in a container", region, credentials, bucket, ...server };
  }
  const minio = (await executable(env["MINIO_BIN"])) ?? (await onPath(env, "minio"));
  if (minio !== null) {
    const command: Command = {
      name: "MinIO",
      program: minio,
      args: (port, data) => ["server", "--quiet", "--address", `127.0.0.1:${port}`, data],
      prepare: (data) => mkdir(join(data, bucket)),
      ready: async (url) => (await fetch(`${url}/minio/health/ready`)).ok,
    };
    return start(command, env);
  }
  const moto = await onPath(env, "moto_server");
  if (moto === null || !(await starts(moto, env))) return null;
  const command: Command = {
    name: "moto",
    program: moto,
    args: (port) => ["-H", "127.0.0.1", "-p", String(port)],
    prepare: async () => undefined,
    ready: async (url) => (await fetch(`${url}/${bucket}`, { method: "PUT" })).ok,
  };
  return start(command, env);
}
