import type { ObjectStore } from "@proofroom/artifacts";
import { defaultTenant } from "@proofroom/contracts";
import { connect, createCancelBus, createEventLog, createProducer, disconnect } from "@proofroom/queue";
import type { Logger } from "@proofroom/telemetry";
import type { GatewayDeps } from "./gateway-deps.ts";

export interface ConnectedGateway {
  deps: GatewayDeps;
  /** Leaves the store open: it is the caller's. */
  close(): Promise<void>;
}

/**
 * Connects a gateway to the Redis that the workers use: `redis://…`, `rediss://…`, or the path of a unix socket. Redis may be
 * away: calls that need it fail until it is back.
 */
export function connectGateway(options: {
  store: ObjectStore;
  redisUrl: string;
  log: Logger;
}): ConnectedGateway {
  const { store, redisUrl, log } = options;
  const connection = connect({ url: redisUrl, role: "producer", log });
  const producer = createProducer(connection);
  const bus = createCancelBus(connection);
  const events = createEventLog(connection, log);
  return {
    deps: { store, tenant: defaultTenant, producer, events, bus },
    async close() {
      await events.flush(1_000);
      bus.close();
      await producer.close();
      await disconnect(connection);
    },
  };
}
