import type { ApiKey } from "@proofroom/access";
import type { ObjectStore, Tallies } from "@proofroom/artifacts";
import type { CancelBus, EventLog, Producer, QueueBoard, QueueInspector } from "@proofroom/queue";
import type { Writes } from "@proofroom/runtime";
import type { Logger, Tracing } from "@proofroom/telemetry";

export interface AuthOptions {
  /** None: open to whoever can connect, which only a loopback address allows. */
  keys: readonly ApiKey[];
  /** The address that the server listens on. */
  host: string;
  /** Names by which it may be reached besides those of loopback; none where nothing is said. */
  allowedHosts?: readonly string[];
  /** The sha256 of each key of those who run the installation: with one of them the queues are shown from afar. */
  operatorKeys?: readonly string[];
  /** How many requests a second one caller may send; without it nobody is slowed down. */
  ratePerSecond?: number | undefined;
  /** How many requests of one caller may be under way; 1,000 where nothing is said. */
  openAtOnce?: number;
}

/** What routes work with beside the store, which each request gets as its caller's tenant sees it. */
export interface RouteDeps {
  producer: Producer;
  events: EventLog;
  bus: Pick<CancelBus, "cancel">;
  log: Logger;
  tracing?: Tracing | undefined;
  now(): Date;
  /** Milliseconds between the comments that keep an event stream open; 15 s where nothing is said. */
  heartbeatMs?: number;
}

/** For the routes that show a run. */
export interface RunRouteDeps extends RouteDeps {
  /** What the calls of runs took, as far as it is known already. */
  tallies: Tallies;
}

export interface AppDeps extends RouteDeps {
  /** The whole of it, everybody's runs. */
  store: ObjectStore;
  auth: AuthOptions;
  /** Without it metrics say nothing of the queues. */
  inspector?: QueueInspector | undefined;
  /** Without it, it is ready too where the store can only be read. */
  writes?: Writes | undefined;
  /** Without it there is no dashboard. */
  board?: QueueBoard | undefined;
}
