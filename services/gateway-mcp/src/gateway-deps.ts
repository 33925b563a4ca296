import type { ObjectStore } from "@proofroom/artifacts";
import type { CancelBus, EventLog, Producer } from "@proofroom/queue";
import type { Writes } from "@proofroom/runtime";
import { createTenantStores } from "@proofroom/runtime/records";
import type { Logger, Tracing } from "@proofroom/telemetry";
import type { Toolset } from "./toolsets.ts";

/** What the tools work with. The connection behind `producer` and `events` is one that fails fast (role `producer`). */
export interface GatewayDeps {
  /** As the caller's tenant sees it. */
  store: ObjectStore;
  /** Whose the caller's runs are. */
  tenant: string;
  producer: Producer;
  events: EventLog;
  bus: Pick<CancelBus, "cancel">;
  /** Without it, it is ready too where the store can only be read. */
  writes?: Writes | undefined;
  tracing?: Tracing | undefined;
}

export interface GatewayOptions {
  /** Opens what the tools work with; called by the first tool that needs it, so a server answers before. */
  open(): Promise<GatewayDeps>;
  log: Logger;
  /** How long a call waits for its job before it answers with a handle, in milliseconds; 25 seconds by default. */
  inlineMs?: number | undefined;
  /** Names of the toolsets offered; all of them by default. */
  toolsets?: ReadonlySet<Toolset> | undefined;
  /** Aborts when the process is to end: calls that wait for a job then answer with its handle at once. */
  closing?: AbortSignal | undefined;
}

/** What each tenant's tools work with: the same connections, and a store in which nothing of the others exists. */
export function depsByTenant(deps: GatewayDeps): (tenant: string) => GatewayDeps {
  const stores = createTenantStores(deps.store);
  return (tenant) => ({ ...deps, store: stores.of(tenant), tenant });
}
