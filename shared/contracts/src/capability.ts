import type { z } from "zod";

/** The services that own capabilities; each consumes the queues of its own. */
export const serviceNames = ["research", "writer", "critic", "code-qa", "orchestrator"] as const;
export type ServiceName = (typeof serviceNames)[number];

export interface CapabilityPolicy {
  /** How often a job is tried before it has failed for good. */
  attempts: number;
  /** Wall time of one attempt, in milliseconds. */
  timeoutMs: number;
  /** First delay between attempts, in milliseconds; doubled each time, with jitter. */
  backoffMs: number;
  /** Jobs of this capability that one worker process runs at a time. */
  concurrency: number;
}

/** The four hints of the MCP tool annotations, all stated. */
export interface CapabilityHints {
  readOnly: boolean;
  destructive: boolean;
  idempotent: boolean;
  openWorld: boolean;
}

export interface Capability<
  Name extends string = string,
  Owner extends ServiceName = ServiceName,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: Name;
  readonly owner: Owner;
  /** `public` capabilities appear at the gateways and the command line; `internal` ones only run inside runs. */
  readonly surface: "public" | "internal";
  readonly title: string;
  readonly summary: string;
  /** Raised when the behaviour changes: by the step key in its record a result tells which behaviour made it. Results that stand are kept. */
  readonly version: number;
  readonly input: Input;
  readonly output: Output;
  /** Artifact names read and written; `*` stands for a part that depends on the input. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** The setting without which the capability answers `not_configured`. */
  readonly needs?: readonly string[];
  readonly policy: CapabilityPolicy;
  readonly hints: CapabilityHints;
}

export type InputOf<C extends Capability> = z.output<C["input"]>;
export type OutputOf<C extends Capability> = z.output<C["output"]>;

/** Declares one capability. Everything else about it (queue, tool, route, command, page) is derived. */
export function defineCapability<
  const Name extends string,
  const Owner extends ServiceName,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
>(declaration: Capability<Name, Owner, Input, Output>): Capability<Name, Owner, Input, Output> {
  return Object.freeze(declaration);
}
