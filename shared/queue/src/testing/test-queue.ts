import { createJobMetrics, type JobMetrics, silentLogger } from "@proofroom/telemetry";
import { startTestRedis, type TestRedis } from "@proofroom/testing";
import type { Job, JobState } from "bullmq";
import type { Redis } from "ioredis";
import { afterEach, beforeEach } from "vitest";
import { connect, disconnect } from "../connection.ts";
import { createProducer, type Producer } from "../producer.ts";
import { createQueuePool } from "../queue-pool.ts";
import type { StepJob } from "../step-job.ts";
import { type RunningWorker, startWorker, type WorkerOptions } from "../worker.ts";
import { localPolicyCapability } from "./sample-jobs.ts";

type Served = WorkerOptions["capability"];

export interface TestQueue {
  readonly connection: Redis;
  readonly producer: Producer;
  readonly metrics: JobMetrics;
  /** Serves a capability, the one whose jobs stand alone where none is named. */
  worker(process: WorkerOptions["process"], served?: Served): RunningWorker;
  state(id: string, of?: Served): Promise<JobState | "unknown">;
  job(id: string, of?: Served): Promise<Job<StepJob> | undefined>;
  close(): Promise<void>;
}

/** The id of a job in its queue. */
export function idOf({ run_id, step_id, generation }: StepJob): string {
  return `${run_id}-${step_id}-g${generation}`;
}

/** A Redis for each test of the file. Answers what opens queues there, each over a connection of its own. */
export function useTestQueues(): () => TestQueue {
  let redis: TestRedis;
  const opened: TestQueue[] = [];
  beforeEach(async () => {
    redis = await startTestRedis();
  });
  afterEach(async () => {
    for (const queue of opened.splice(0).reverse()) await queue.close();
    await redis.close();
  });
  return () => {
    const queue = openTestQueue(redis.url);
    opened.push(queue);
    return queue;
  };
}

/** Producers, workers and a look at their jobs, over one connection to a Redis. */
function openTestQueue(redisUrl: string): TestQueue {
  const log = silentLogger();
  const connection = connect({ url: redisUrl, role: "worker", log });
  const producer = createProducer(connection);
  const pool = createQueuePool(connection);
  const metrics = createJobMetrics();
  const workers: RunningWorker[] = [];
  return {
    connection,
    producer,
    metrics,
    worker(process, capability = localPolicyCapability) {
      const running = startWorker({ connection, capability, log, metrics, process });
      workers.push(running);
      return running;
    },
    state: (id, of = localPolicyCapability) => pool.of(of).getJobState(id),
    job: (id, of = localPolicyCapability) => pool.of(of).getJob(id),
    async close() {
      for (const running of workers) await running.close(500);
      await Promise.all([producer.close(), pool.close()]);
      await disconnect(connection);
    },
  };
}
