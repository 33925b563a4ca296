import type { ObjectStore } from "@proofroom/artifacts";
import type { CancelBus, EventLog, Producer } from "@proofroom/queue";
import type { Logger } from "@proofroom/telemetry";

export interface AuthOptions {
  /** Hex sha256 of every API key. None: open to whoever can connect, which only loopback allows. */
  keys: readonly string[];
  /** Whether the server listens on a loopback address only. */
  loopback: boolean;
  /** What one key may ask for; without it nobody is slowed down. */
  rate?: { perSecond: number; burst: number } | undefined;
}

export interface AppDeps {
  store: ObjectStore;
  producer: Producer;
  events: EventLog;
  bus: Pick<CancelBus, "cancel">;
  log: Logger;
  auth: AuthOptions;
  now(): Date;
  /** Milliseconds between the comments that keep an event stream open; 15 s where nothing is said. */
  heartbeatMs?: number;
}
