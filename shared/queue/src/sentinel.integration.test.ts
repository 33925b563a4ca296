import { silentLogger } from "@proofroom/telemetry";
import { eventually, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { firstAnswer } from "./first-answer.ts";
import { openLinks, type QueueLinks } from "./links.ts";
import type { RedisAddress } from "./redis-address.ts";
import { localPolicyCapability, stepJob } from "./testing/sample-jobs.ts";
import { type SentinelGroup, startSentinelGroup } from "./testing/sentinel-group.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

const log = silentLogger();
let folder: TempFolder;
let group: SentinelGroup;
let address: RedisAddress;
let submitting: QueueLinks;
let working: QueueLinks;
let worker: RunningWorker;
let done: Set<string>;
/** Jobs are held until it is opened. */
let gate: PromiseWithResolvers<void>;

beforeEach(async () => {
  folder = await makeTempFolder();
  group = await startSentinelGroup(folder.path);
  address = { url: group.url, sentinel: { password: group.sentinelPassword } };
  done = new Set();
  gate = Promise.withResolvers();
  submitting = openLinks({ ...address, role: "producer", log });
  working = openLinks({ ...address, role: "worker", log });
  worker = startWorker({
    connection: working.connection,
    capability: localPolicyCapability,
    lockMs: 3_000,
    log,
    async process({ job }) {
      await gate.promise;
      done.add(job.step_id);
      return {};
    },
  });
});

afterEach(async () => {
  gate.resolve();
  await worker.close(500);
  await submitting.close();
  await working.close();
  await group.close();
  await folder.close();
});

const submit = (n: number) => submitting.producer.submit(localPolicyCapability, stepJob(n));
const isDone = (n: number) => done.has(stepJob(n).step_id);
const firstHundred = Array.from({ length: 100 }, (_, n) => n);

it("jobs that a replica knows of outlive the master, and whoever submits during the failover is told", {
  timeout: 90_000,
}, async () => {
  await firstAnswer(address, 5_000);
  await Promise.all(firstHundred.map(submit));
  // Replication is asynchronous: only what a replica has confirmed must be there.
  await eventually(async () => (await submitting.connection.wait(2, 1_000)) === 2);
  await group.killMaster();
  expect(done.size).toBe(0);
  gate.resolve();
  await expect(submit(2_000)).rejects.toMatchObject({ code: "dependency_down" });
  await eventually(() => firstHundred.every(isDone), 40_000);
  await eventually(
    () =>
      submit(2_000).then(
        () => true,
        () => false,
      ),
    40_000,
  );
  await eventually(() => isDone(2_000));
  await eventually(() => worker.health().state === "ready");
});

it("another password of the Sentinels is not accepted, and nobody waits for ever", async () => {
  const wrong = { ...address, sentinel: { password: "hunter2" } };
  await expect(firstAnswer(wrong, 5_000)).rejects.toMatchObject({
    code: "dependency_down",
    message: expect.stringContaining("password"),
  });
});
