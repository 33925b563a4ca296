import type { ObjectStore } from "@proofroom/artifacts";
import type { CancelBus, EventLog, Producer } from "@proofroom/queue";
import type { Logger } from "@proofroom/telemetry";

/** What the tools work with. The connection behind `producer` and `events` is one that fails fast (role `producer`). */
export interface GatewayDeps {
  store: ObjectStore;
  producer: Producer;
  events: EventLog;
  bus: Pick<CancelBus, "cancel">;
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

/** The groups into which the tools fall. */
export const toolsetNames = ["research", "writer", "critic", "code", "runs", "jobs"] as const;
export type Toolset = (typeof toolsetNames)[number];

/** Opens once for all callers; after a failure the next caller tries again. */
export function openOnce(open: () => Promise<GatewayDeps>): () => Promise<GatewayDeps> {
  let opened: Promise<GatewayDeps> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}
