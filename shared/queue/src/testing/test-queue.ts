import { createJobMetrics, type JobMetrics, silentLogger } from "@proofroom/telemetry";
import type { Job, JobState } from "bullmq";
import type { Redis } from "ioredis";
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
  job(id: string): Promise<Job<StepJob> | undefined>;
  close(): Promise<void>;
}

/** The id of a job in its queue. */
export function idOf({ run_id, step_id, generation }: StepJob): string {
  return `${run_id}-${step_id}-g${generation}`;
}

/** Producers, workers and a look at their jobs, over one connection to a Redis. */
export function openTestQueue(redisUrl: string): TestQueue {
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
    job: (id) => pool.of(localPolicyCapability).getJob(id),
    async close() {
      for (const running of workers) await running.close(500);
      await Promise.all([producer.close(), pool.close()]);
      await disconnect(connection);
    },
  };
}
