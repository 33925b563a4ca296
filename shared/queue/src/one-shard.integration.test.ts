import { silentLogger } from "@proofroom/telemetry";
import { eventually } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createBudgetHolds } from "./budget-holds.ts";
import { createCallQuota } from "./call-quota.ts";
import { connect, disconnect, keyPrefix } from "./connection.ts";
import { createEventLog } from "./events.ts";
import { createProducer } from "./producer.ts";
import { createTenantPlaces } from "./tenant-places.ts";
import { type ClusterNode, startClusterNode } from "./testing/cluster-node.ts";
import { childCapability, parentCapability, sampleOwner, stepJob } from "./testing/sample-jobs.ts";
import { WaitForChildren } from "./wait-for-children.ts";
import { startWorker, type WorkerOptions } from "./worker.ts";

const log = silentLogger();
let node: ClusterNode;
const closers: (() => Promise<unknown> | unknown)[] = [];

beforeEach(async () => {
  node = await startClusterNode();
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await node.close();
});

it("all that is kept lies in one shard of a cluster, where no script has keys in two (CROSSSLOT)", async () => {
  const connection = connect({ url: node.url, role: "worker", log });
  closers.push(() => disconnect(connection));
  const producer = createProducer(connection);
  closers.push(() => producer.close());
  const serve = (capability: WorkerOptions["capability"], process: WorkerOptions["process"]) => {
    const running = startWorker({ connection, capability, log, process });
    closers.push(() => running.close(500));
  };
  const children = [1, 2, 3].map((n) => ({
    capability: childCapability,
    job: stepJob(n, childCapability.name, parentCapability.name),
  }));
  let handed = false;
  let done = false;
  const places = createTenantPlaces(connection, 2);
  serve(childCapability, async (_delivery, held) => {
    await (await places.enter(childCapability, "default", held))();
    return {};
  });
  serve(parentCapability, async () => {
    if (!handed) {
      handed = true;
      throw new WaitForChildren(children, sampleOwner);
    }
    done = true;
    return {};
  });
  await producer.submit(parentCapability, stepJob(1, parentCapability.name));
  await eventually(() => done);
  const quota = createCallQuota(connection);
  const granted = await quota.reserve("model", { requests_per_minute: 5, tokens_per_day: 100 }, 10);
  if (granted.granted) await quota.settle("model", granted.id, 7);
  await quota.lineUp("model", { waiter: "call", tokens: 10, waitMs: 10 });
  await quota.cool("model", 1_000);
  await createBudgetHolds(connection).hold({ runId: sampleOwner.runId, id: "call", amounts: { usd: 1 } });
  const events = createEventLog(connection, log);
  events.publish({ run_id: sampleOwner.runId, type: "step.progress" });
  await events.flush(1_000);

  const keys = await connection.keys("*");
  expect(keys.length).toBeGreaterThan(10);
  expect(keys.filter((key) => !key.startsWith(keyPrefix))).toEqual([]);
});
