import type { ObjectStore } from "@proofroom/artifacts";
import { defaultTenant } from "@proofroom/contracts";
import { openLinks, type RedisAddress } from "@proofroom/queue";
import type { Logger, Tracing } from "@proofroom/telemetry";
import type { GatewayDeps } from "./gateway-deps.ts";

export interface ConnectedGateway {
  deps: GatewayDeps;
  /** Leaves the store open: it is the caller's. */
  close(): Promise<void>;
}

/** Connects a gateway to the Redis that the workers use. It may be away: calls that need it fail until it is back. */
export function connectGateway(options: {
  store: ObjectStore;
  redis: RedisAddress;
  log: Logger;
  tracing?: Tracing | undefined;
}): ConnectedGateway {
  const { store, redis, log, tracing } = options;
  const { producer, bus, events, close } = openLinks({ ...redis, role: "producer", log, tracing });
  return { deps: { store, tenant: defaultTenant, producer, events, bus, tracing }, close };
}
