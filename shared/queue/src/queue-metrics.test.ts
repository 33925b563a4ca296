import { expect, it } from "vitest";
import type { QueueState } from "./queue-inspector.ts";
import { createQueueMetrics } from "./queue-metrics.ts";

const jobs = { waiting: 2, prioritized: 0, active: 1, delayed: 0, failed: 3, "waiting-children": 0 };
const state: QueueState = { queue: "verify_citations", jobs, oldestSeconds: 4.5, workers: 1 };

it("every queue is told with its jobs, the age of the next, and its workers", async () => {
  const metrics = createQueueMetrics({ inspect: async () => [state] }, () => new Date());
  const lines = (await metrics.text()).split("\n");
  expect(lines).toContain("proofroom_queue_up 1");
  expect(lines).toContain('proofroom_queue_jobs{queue="verify_citations",state="waiting"} 2');
  expect(lines).toContain('proofroom_queue_jobs{queue="verify_citations",state="waiting-children"} 0');
  expect(lines).toContain('proofroom_queue_oldest_seconds{queue="verify_citations"} 4.5');
  expect(lines).toContain('proofroom_queue_workers{queue="verify_citations"} 1');
});

it("workers that the server does not tell of are not told as none", async () => {
  const metrics = createQueueMetrics(
    { inspect: async () => [{ ...state, workers: null }] },
    () => new Date(),
  );
  expect(await metrics.text()).not.toContain("proofroom_queue_workers{");
});

it("queues that cannot be looked at are not told as empty", async () => {
  const metrics = createQueueMetrics({ inspect: () => Promise.reject(new Error("away")) }, () => new Date());
  expect(await metrics.text()).toMatch(/\nproofroom_queue_up 0\n$/);
});

it("whoever asks in the same few seconds is told the same, and Redis is asked once", async () => {
  let at = 0;
  let looks = 0;
  const inspect = async () => {
    looks += 1;
    return [state];
  };
  const metrics = createQueueMetrics({ inspect }, () => new Date(at));
  await Promise.all([metrics.text(), metrics.text()]);
  at = 4_000;
  await metrics.text();
  expect(looks).toBe(1);
  at = 6_000;
  await metrics.text();
  expect(looks).toBe(2);
});
