export { type CancelBus, createCancelBus } from "./cancel-bus.ts";
export { type ConnectionOptions, connect, disconnect } from "./connection.ts";
export { createEventLog, type EventLog } from "./events.ts";
export { type OpenedRedis, type OpenRedisOptions, openRedis } from "./private-redis/open-redis.ts";
export { createProducer, type Producer } from "./producer.ts";
export { payloadLimit, type StepJob } from "./step-job.ts";
export {
  type Delivery,
  type RunningWorker,
  startWorker,
  WaitForChildren,
  type WorkerOptions,
} from "./worker.ts";
