import { ProofroomError } from "@proofroom/contracts";
import { eventually } from "@proofroom/testing";
import { Worker } from "bullmq";
import { describe, expect, it } from "vitest";
import { keyPrefix } from "./connection.ts";
import { localPolicyCapability as capability, stepJob } from "./testing/sample-jobs.ts";
import { idOf, useTestQueues } from "./testing/test-queue.ts";

const setUp = useTestQueues();

const invalid = () => new ProofroomError({ code: "invalid_input", message: "no" });

describe("a job", () => {
  it("that has failed for good and is submitted again is executed again", async () => {
    const { producer, worker, state } = setUp();
    let executions = 0;
    worker(async () => {
      executions += 1;
      if (executions === 1) throw invalid();
      return {};
    });
    await producer.submit(capability, stepJob(1));
    await eventually(async () => (await state(idOf(stepJob(1)))) === "failed");
    await producer.submit(capability, stepJob(1));
    await eventually(async () => (await state(idOf(stepJob(1)))) === "completed");
    expect(executions).toBe(2);
  });

  it("that stalled out, its workers gone, is executed when it is submitted again", async () => {
    const { connection, producer, worker, state } = setUp();
    const entered = Promise.withResolvers<void>();
    const settings = { connection, prefix: keyPrefix, stalledInterval: 100, maxStalledCount: 0 };
    const fated = new Worker(
      capability.name,
      () => {
        entered.resolve();
        return new Promise(() => undefined);
      },
      { ...settings, lockDuration: 300 },
    );
    await producer.submit(capability, stepJob(1));
    await entered.promise;
    await fated.close(true);
    const judge = new Worker(capability.name, async () => ({}), settings);
    await eventually(async () => (await state(idOf(stepJob(1)))) === "failed");
    await judge.close();
    worker(async () => ({ done: "yes" }));
    await producer.submit(capability, stepJob(1));
    await eventually(async () => (await state(idOf(stepJob(1)))) === "completed");
  });

  it.each([
    ["too large", { record: "x".repeat(2_000) }],
    ["not JSON", { record: 1n as unknown as string }],
  ])("whose result is %s fails at once, and nothing of it reaches Redis", async (_name, result) => {
    const { producer, worker, state, job } = setUp();
    let executions = 0;
    worker(async () => {
      executions += 1;
      return result;
    });
    await producer.submit(capability, stepJob(1));
    await eventually(async () => (await state(idOf(stepJob(1)))) === "failed");
    expect(executions).toBe(1);
    expect((await job(idOf(stepJob(1))))?.returnvalue ?? null).toBeNull();
  });

  it("whose input is too large for the queue is refused before it is sent", async () => {
    const { producer } = setUp();
    const job = { ...stepJob(1), input: { text: "x".repeat(2_000) } };
    await expect(producer.submit(capability, job)).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("that waits for its time is executed at once where it is wanted now, and only there", async () => {
    const { producer, worker, state } = setUp();
    const disposition = { kind: "wait", delayMs: 3_600_000 } as const;
    let executions = 0;
    worker(async () => {
      executions += 1;
      if (executions === 1) throw new ProofroomError({ code: "quota", message: "later", disposition });
      return { done: "yes" };
    });
    await producer.submit(capability, stepJob(1));
    await eventually(async () => (await state(idOf(stepJob(1)))) === "delayed");
    await producer.submit(capability, stepJob(1));
    expect(await state(idOf(stepJob(1)))).toBe("delayed");
    await producer.submit(capability, stepJob(1), { now: true });
    await eventually(async () => (await state(idOf(stepJob(1)))) === "completed");
    expect(executions).toBe(2);
  });

  it("that is under way when its worker closes goes back into the queue and spends no attempt", async () => {
    const { producer, worker, job, state } = setUp();
    const entered = Promise.withResolvers<void>();
    const running = worker(async ({ signal }) => {
      entered.resolve();
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () =>
          reject(
            new ProofroomError({ code: "cancelled", message: "interrupted", disposition: { kind: "retry" } }),
          ),
        );
      });
    });
    await producer.submit(capability, stepJob(1));
    await entered.promise;
    await running.close(10);
    await eventually(async () => (await state(idOf(stepJob(1)))) === "waiting");
    expect((await job(idOf(stepJob(1))))?.attemptsMade).toBe(0);
  });

  it("that waits for its turn comes back as often as it takes, and spends no attempt", async () => {
    const id = idOf(stepJob(1));
    const { connection, producer, worker, job, state } = setUp();
    let executions = 0;
    worker(async () => {
      executions += 1;
      // It has waited for hours: BullMQ counts every start.
      if (executions === 4) await connection.hset(`${keyPrefix}:${capability.name}:${id}`, "ats", 1_000_000);
      if (executions <= 8) {
        const disposition = { kind: "wait", delayMs: 5 } as const;
        throw new ProofroomError({ code: "quota", message: "at its limits", disposition });
      }
      return {};
    });
    await producer.submit(capability, stepJob(1));
    await eventually(async () => (await state(id)) === "completed");
    expect(executions).toBe(9);
    expect((await job(id))?.attemptsMade).toBe(1);
  });

  it("is counted by how its executions ended", async () => {
    const { producer, worker, state, metrics } = setUp();
    const ends = [
      new ProofroomError({ code: "cancelled", message: "The run was cancelled." }),
      new ProofroomError({ code: "timeout", message: "late", disposition: { kind: "retry" } }),
    ];
    worker(async ({ job }) => {
      const error = job.step_id === stepJob(1).step_id ? invalid() : ends.shift();
      if (error !== undefined) throw error;
      return {};
    });
    await producer.submit(capability, stepJob(1));
    await eventually(async () => (await state(idOf(stepJob(1)))) === "failed");
    await producer.submit(capability, stepJob(2));
    await eventually(async () => (await state(idOf(stepJob(2)))) === "failed");
    await producer.submit(capability, stepJob(3));
    await eventually(async () => (await state(idOf(stepJob(3)))) === "completed");
    const told = metrics.text().split("\n");
    const ended = told.filter((line) => line.startsWith("proofroom_jobs_ended_total{"));
    const expected = ["failed", "cancelled", "retried", "done"].map(
      (outcome) => `proofroom_jobs_ended_total{capability="${capability.name}",outcome="${outcome}"} 1`,
    );
    expect(ended).toEqual(expected);
    expect(told).toContain(`proofroom_jobs_started_total{capability="${capability.name}"} 4`);
  });

  it("leaves a bounded stream of queue events behind, however many there were", async () => {
    const { connection, producer, worker } = setUp();
    let done = 0;
    worker(async () => {
      done += 1;
      return {};
    });
    const jobs = Array.from({ length: 1_000 }, (_, n) => stepJob(n));
    await Promise.all(jobs.map((job) => producer.submit(capability, job)));
    await eventually(() => done === jobs.length);
    expect(await connection.xlen(`${keyPrefix}:${capability.name}:events`)).toBeLessThan(500);
  });
});
