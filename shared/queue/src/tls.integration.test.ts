import { silentLogger } from "@proofroom/telemetry";
import { eventually, freePort, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firstAnswer } from "./first-answer.ts";
import { openLinks } from "./links.ts";
import { type RedisAddress, readRedisAddress } from "./redis-address.ts";
import { type CertificatePaths, makeAuthority, makeCertificate } from "./testing/certificates.ts";
import { type RedisProcess, startRedisProcess } from "./testing/redis-process.ts";
import { localPolicyCapability, stepJob } from "./testing/sample-jobs.ts";
import { startWorker } from "./worker.ts";

const log = silentLogger();
let folder: TempFolder;
let redis: RedisProcess;
let port: number;
let authority: CertificatePaths;
let client: CertificatePaths;

/** The server's certificate is for a name that is not that of its address, and it lets in only who shows one. */
beforeAll(async () => {
  folder = await makeTempFolder();
  authority = await makeAuthority(folder.path, "authority");
  const server = await makeCertificate(folder.path, "server", authority, ["DNS:queue.internal"]);
  client = await makeCertificate(folder.path, "client", authority, ["DNS:worker.internal"]);
  port = await freePort();
  const settings = {
    port: 0,
    "tls-port": port,
    "tls-cert-file": server.cert,
    "tls-key-file": server.key,
    "tls-ca-cert-file": authority.cert,
    "tls-auth-clients": "yes",
    bind: "127.0.0.1",
    dir: folder.path,
    save: "",
    requirepass: "secret",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  redis = await startRedisProcess(args, port);
});

afterAll(async () => {
  await redis.kill();
  await folder.close();
});

interface Files {
  ca?: string;
  cert?: string;
  key?: string;
  servername?: string;
}

function address(tls: Files, password = "secret"): Promise<RedisAddress> {
  const url = `rediss://:${password}@127.0.0.1:${port}`;
  return readRedisAddress({ url: { reveal: () => url }, tls, sentinel: {} }, folder.path);
}

const whole = (): Files => ({ ca: "authority.crt", ...client, servername: "queue.internal" });

describe("a Redis behind TLS", () => {
  it("carries jobs, the blocking connections of workers and word of cancels included", async () => {
    const links = openLinks({ ...(await address(whole())), role: "worker", log });
    const done: string[] = [];
    const heard: string[] = [];
    const worker = startWorker({
      connection: links.connection,
      capability: localPolicyCapability,
      log,
      async process({ job }) {
        done.push(job.step_id);
        return {};
      },
    });
    try {
      links.bus.onCancel((word) => heard.push(word));
      await links.producer.submit(localPolicyCapability, stepJob(1));
      await eventually(() => done.length === 1);
      // It idles, hence waits on its own connection.
      await links.producer.submit(localPolicyCapability, stepJob(2));
      await eventually(() => done.length === 2);
      await eventually(async () => {
        await links.bus.cancel("word");
        return heard.length > 0;
      });
      expect(done).toEqual([stepJob(1).step_id, stepJob(2).step_id]);
    } finally {
      await worker.close(1_000);
      await links.close();
    }
  });

  it("lets in who shows what it asks for", async () => {
    await firstAnswer(await address(whole()), 5_000);
  });

  it.each([
    ["whose authority nobody named", { ca: undefined }],
    ["for another name", { servername: undefined }],
  ])("with a certificate %s is not trusted", async (_why, without) => {
    const { ca, servername, ...rest } = { ...whole(), ...without };
    const tls = { ...rest, ...(ca && { ca }), ...(servername && { servername }) };
    await expect(firstAnswer(await address(tls), 5_000)).rejects.toMatchObject({
      code: "dependency_down",
      message: expect.stringContaining("certificate"),
      remedy: expect.stringContaining("REDIS_TLS_CA"),
    });
  });

  it("does not let in who shows no certificate", async () => {
    const answer = firstAnswer(await address({ ca: "authority.crt", servername: "queue.internal" }), 5_000);
    await expect(answer).rejects.toMatchObject({ code: "dependency_down" });
  });

  it("with another password says so, and not which", async () => {
    const answer = firstAnswer(await address(whole(), "hunter2"), 5_000);
    await expect(answer).rejects.toMatchObject({ message: expect.stringContaining("password") });
    const error: unknown = await answer.catch((thrown: unknown) => thrown);
    expect(String(error)).not.toContain("hunter2");
  });
});

it.each(["missing.crt", "client.csr.missing", "."])("a file such as %s is no certificate", async (file) => {
  await expect(address({ ca: file })).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("REDIS_TLS_CA"),
  });
});
