import type { Destination } from "./destinations.ts";
import type { RunTraceStore } from "./run-traces.ts";

export interface TracingOptions {
  serviceName: string;
  version: string;
  /** Where spans are sent, all of them to each. */
  destinations: readonly Destination[];
  /** Where the spans of runs are kept with the runs; nowhere where nothing is said. */
  runs?: RunTraceStore | undefined;
  /** Whether prompts, answers, and what parsers get and give, are told. */
  captureContent: boolean;
  /** What no attribute may hold. */
  secrets: Iterable<string>;
  /** Told once of each destination that fails, and never of what it said. */
  onTrouble(where: string, error: unknown): void;
}
