import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endProcess, untilServing } from "./child-process.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";

export interface S3Account {
  readonly bucket: string;
  readonly credentials: { accessKeyId: string; secretAccessKey: string };
}

/** How a server is started as a process; `data` is its own folder. */
export interface S3Program {
  args(port: number, data: string, account: S3Account): Promise<string[]>;
  /** Whether it serves; MinIO and moto then have the bucket. */
  ready(endpoint: string, account: S3Account): Promise<boolean>;
}

/** One that takes the connection and says nothing is asked again. */
async function answers(url: string, method = "GET"): Promise<boolean> {
  return (await fetch(url, { method, signal: AbortSignal.timeout(2_000) })).ok;
}

export const minio: S3Program = {
  async args(port, data, { bucket }) {
    // A folder of its data is a bucket.
    await mkdir(join(data, bucket));
    return ["server", "--quiet", "--address", `127.0.0.1:${port}`, data];
  },
  ready: (endpoint) => answers(`${endpoint}/minio/health/ready`),
};

export const moto: S3Program = {
  args: async (port) => ["-H", "127.0.0.1", "-p", String(port)],
  ready: (endpoint, { bucket }) => answers(`${endpoint}/${bucket}`, "PUT"),
};

export const seaweedfs: S3Program = {
  async args(port, data, { credentials }) {
    const { accessKeyId: accessKey, secretAccessKey: secretKey } = credentials;
    const config = join(data, "s3.json");
    const actions = ["Admin", "Read", "Write", "List", "Tagging"];
    await writeFile(
      config,
      JSON.stringify({ identities: [{ name: "test", credentials: [{ accessKey, secretKey }], actions }] }),
    );
    // It is read from where the server is started. Each bucket gets volumes of its own, seven at a time by default.
    await writeFile(join(data, "..", "master.toml"), "[master.volume_growth]\ncopy_1 = 1\n");
    const parts = ["master", "volume", "filer"].flatMap((part) => [`${part}.port`, `${part}.port.grpc`]);
    const ports = await Promise.all([...parts, "s3.port.grpc"].map(async (n) => `-${n}=${await freePort()}`));
    return [
      "server",
      `-dir=${data}`,
      "-ip=127.0.0.1",
      "-ip.bind=127.0.0.1",
      "-master.volumeSizeLimitMB=64",
      "-volume.max=32",
      "-filer",
      "-s3",
      `-s3.port=${port}`,
      `-s3.config=${config}`,
      ...ports,
    ];
  },
  ready: (endpoint) => answers(`${endpoint}/healthz`),
};

/** Starts it in a temporary folder on a free port and waits until it is ready. */
export async function startS3Program(
  { args, ready }: S3Program,
  binary: string,
  account: S3Account,
  path: string | undefined,
): Promise<{ endpoint: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "proofroom-s3-"));
  const data = join(folder, "data");
  await mkdir(data);
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child = spawn(binary, await args(port, data, account), {
    stdio: "ignore",
    cwd: folder,
    env: {
      PATH: path,
      HOME: folder,
      MINIO_ROOT_USER: account.credentials.accessKeyId,
      MINIO_ROOT_PASSWORD: account.credentials.secretAccessKey,
      MINIO_BROWSER: "off",
    },
  });

  async function close(): Promise<void> {
    await endProcess(child);
    await rm(folder, { recursive: true, force: true });
  }

  try {
    const isReady = () => ready(endpoint, account).catch(() => false);
    await untilServing(child, eventually(isReady, 60_000));
  } catch (error) {
    await close();
    throw error;
  }
  return { endpoint, close };
}
