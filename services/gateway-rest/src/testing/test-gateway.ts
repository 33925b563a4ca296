import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import type { EventLog, Producer, StepJob } from "@proofroom/queue";
import { indexRuns } from "@proofroom/runtime/records";
import { silentLogger } from "@proofroom/telemetry";
import type { FastifyInstance } from "fastify";
import { buildApp } from "../app.ts";
import type { AppDeps } from "../deps.ts";

export interface TestGateway {
  app: FastifyInstance;
  store: ObjectStore;
  /** What was put into the queue. */
  submitted: StepJob[];
  /** Runs that workers were told to stop. */
  cancelled: string[];
}

/** An event log that nobody reads. */
const deaf: EventLog = {
  publish: () => undefined,
  position: async () => "0",
  flush: async () => undefined,
  async *follow() {},
};

/** A gateway on a store in a folder, whose queue only writes down what it gets. */
export async function testGateway(root: string, changes: Partial<AppDeps> = {}): Promise<TestGateway> {
  const store = createFsStore({ root });
  await indexRuns(store);
  const submitted: StepJob[] = [];
  const cancelled: string[] = [];
  const producer: Producer = {
    async submit(_capability, job) {
      submitted.push(job);
    },
    close: async () => undefined,
  };
  const app = await buildApp({
    store,
    producer,
    events: deaf,
    bus: {
      async cancel(runId) {
        cancelled.push(runId);
      },
    },
    log: silentLogger(),
    auth: { keys: [], host: "127.0.0.1" },
    now: () => new Date(),
    ...changes,
  });
  return { app, store, submitted, cancelled };
}
