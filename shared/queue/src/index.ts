export { createBudgetHolds } from "./budget-holds.ts";
export { type CallQuotaOptions, createCallQuota } from "./call-quota.ts";
export { type CancelBus, createCancelBus } from "./cancel-bus.ts";
export { type ConnectionOptions, connect, disconnect } from "./connection.ts";
export { interrupted } from "./disposition.ts";
export { comparePositions } from "./event-position.ts";
export { createEventLog, type EventLog } from "./events.ts";
export { firstAnswer } from "./first-answer.ts";
export type { Delivery } from "./job-execution.ts";
export { openLinks, type QueueLinks } from "./links.ts";
export { type OpenedRedis, type OpenRedisOptions, openRedis } from "./private-redis/open-redis.ts";
export { createProducer, type Producer } from "./producer.ts";
export { createQueueBoard, type QueueBoard } from "./queue-board.ts";
export {
  createQueueInspector,
  type JobCounts,
  type QueueInspector,
  type QueueState,
} from "./queue-inspector.ts";
export { createQueueMetrics, type QueueMetrics } from "./queue-metrics.ts";
export {
  type RedisAddress,
  type RedisSettings,
  readRedisAddress,
} from "./redis-address.ts";
export { payloadLimit, type StepJob } from "./step-job.ts";
export { createTenantPlaces, type HeldJob, type TenantPlaces } from "./tenant-places.ts";
export { WaitForChildren } from "./wait-for-children.ts";
export { type RunningWorker, startWorker, type WorkerOptions } from "./worker.ts";
export type { WorkerHealth, WorkerState } from "./worker-pulse.ts";
