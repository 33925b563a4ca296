import type {
  ArtifactRef,
  Capability,
  CapabilityName,
  CapabilityOf,
  InputOf,
  OutputOf,
  OwnedBy,
  PublicError,
  ServiceName,
} from "@proofroom/contracts";
import type { Logger } from "@proofroom/telemetry";
import type { z } from "zod";

/** The artifacts of a run as one step sees them: every read is recorded, every write carries the step's name. */
export interface StepArtifacts {
  /** The text of an artifact. @throws ProofroomError not_found */
  readText(name: string): Promise<string>;
  readBytes(name: string): Promise<Uint8Array>;
  /** Parsed and checked. @throws ProofroomError not_found, or invalid_input where the artifact does not fit */
  readJson<Schema extends z.ZodType>(name: string, schema: Schema): Promise<z.output<Schema>>;
  /** As the others, or null where the artifact does not exist (which is recorded as well). */
  tryReadText(name: string): Promise<string | null>;
  tryReadJson<Schema extends z.ZodType>(name: string, schema: Schema): Promise<z.output<Schema> | null>;
  /** Artifact names that start with `prefix`, sorted. The listing itself is not part of the step's reads. */
  list(prefix: string): Promise<string[]>;
  /** Whether a person has written a version of the artifact, however old: then what stands in it may be theirs. */
  hasPersons(name: string): Promise<boolean>;
  /** Writes a new version; identical content makes none. Names must match the capability's `writes`. */
  writeText(name: string, text: string): Promise<ArtifactRef>;
  writeBytes(name: string, bytes: Uint8Array): Promise<ArtifactRef>;
  /** Two-space JSON with a final newline. */
  writeJson(name: string, value: unknown): Promise<ArtifactRef>;
}

export type ChildOutcome<C extends Capability> =
  | { input: InputOf<C>; output: OutputOf<C>; error?: undefined }
  | { input: InputOf<C>; output?: undefined; error: PublicError };

export interface StepContext {
  readonly runId: string;
  readonly stepId: string;
  readonly generation: number;
  readonly artifacts: StepArtifacts;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Tells whoever watches the run how far the step is. */
  progress(update: { done: number; total?: number; message?: string }): void;
  /**
   * Runs one job of `capability` per input and waits for all of them. The handler is left at this call and
   * entered again from its start when the children are through, so what stands before it must be repeatable.
   * Children that finished in an earlier attempt are not run again. Outcomes are in the order of the inputs.
   */
  fanOut<C extends Capability>(capability: C, inputs: readonly InputOf<C>[]): Promise<ChildOutcome<C>[]>;
}

export type Handler<C extends Capability> = (input: InputOf<C>, context: StepContext) => Promise<OutputOf<C>>;

/** What a service must bring: a handler for each capability that it owns. One missing does not compile. */
export type Handlers<Service extends ServiceName> = {
  readonly [Name in OwnedBy<Service>]: Handler<CapabilityOf<Name & CapabilityName>>;
};
