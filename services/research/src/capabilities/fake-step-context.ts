import { createHash } from "node:crypto";
import {
  type ArtifactRef,
  assertArtifactName,
  type Capability,
  type InputOf,
  ProofroomError,
  type PublicError,
} from "@proofroom/contracts";
import type { ChildOutcome, StepArtifacts, StepContext } from "@proofroom/runtime";
import { silentLogger } from "@proofroom/telemetry";
import type { z } from "zod";

type Answer = { output: unknown } | { error: PublicError };
type Child = (input: never) => Answer | Promise<Answer>;

/** A step's context in memory, for tests: artifacts in a map, children answered by functions. */
export class FakeStepContext implements StepContext {
  readonly runId = "run_01J00000000000000000000000";
  readonly stepId: string;
  readonly generation = 1;
  readonly signal: AbortSignal;
  readonly log = silentLogger();
  readonly artifacts: StepArtifacts;
  /** By name. */
  readonly stored: Map<string, string>;
  /** Inputs of all children, in the order of submission. */
  readonly submitted: { capability: string; input: unknown }[] = [];
  readonly #writes: readonly string[];
  readonly #children: Readonly<Record<string, Child>>;

  constructor(
    capability: Capability,
    options: {
      /** Given as a map it is shared with other contexts. */
      stored?: Record<string, unknown> | Map<string, string>;
      children?: Record<string, Child>;
      signal?: AbortSignal;
      stepId?: string;
    } = {},
  ) {
    this.stepId = options.stepId ?? capability.name;
    this.signal = options.signal ?? new AbortController().signal;
    this.#writes = capability.writes;
    this.#children = options.children ?? {};
    this.stored = options.stored instanceof Map ? options.stored : new Map();
    const given = options.stored instanceof Map ? {} : options.stored;
    for (const [name, value] of Object.entries(given ?? {})) {
      this.stored.set(name, typeof value === "string" ? value : JSON.stringify(value));
    }
    this.artifacts = this.#memoryArtifacts();
  }

  progress(): void {}

  async fanOut<C extends Capability>(
    capability: C,
    inputs: readonly InputOf<C>[],
  ): Promise<ChildOutcome<C>[]> {
    const outcomes: ChildOutcome<C>[] = [];
    for (const input of inputs) {
      this.submitted.push({ capability: capability.name, input });
      const child = this.#children[capability.name];
      if (child === undefined) throw new Error(`no child was expected for ${capability.name}`);
      outcomes.push({ input, ...(await child(input as never)) } as ChildOutcome<C>);
    }
    return outcomes;
  }

  #memoryArtifacts(): StepArtifacts {
    const text = (name: string) => {
      const found = this.stored.get(name);
      if (found === undefined) throw new ProofroomError({ code: "not_found", message: `no ${name}` });
      return found;
    };
    const json = <Schema extends z.ZodType>(name: string, schema: Schema) =>
      schema.parse(JSON.parse(text(name)));
    const write = async (name: string, content: string): Promise<ArtifactRef> => {
      assertArtifactName(name);
      if (!this.#writes.some((allowed) => fits(name, allowed))) throw new Error(`${name} is not declared`);
      this.stored.set(name, content);
      const sha256 = createHash("sha256").update(content).digest("hex");
      return { name, version: 1, sha256, size: Buffer.byteLength(content) };
    };
    return {
      readText: async (name) => text(name),
      readBytes: async (name) => Buffer.from(text(name)),
      readJson: async (name, schema) => json(name, schema),
      tryReadText: async (name) => this.stored.get(name) ?? null,
      tryReadJson: async (name, schema) => (this.stored.has(name) ? json(name, schema) : null),
      hasPersons: async () => false,
      list: async (prefix) => [...this.stored.keys()].filter((name) => name.startsWith(prefix)).sort(),
      writeText: write,
      writeBytes: (name, bytes) => write(name, Buffer.from(bytes).toString("latin1")),
      writeJson: (name, value) => write(name, `${JSON.stringify(value, null, 2)}\n`),
    };
  }
}

/** A declared name, in which `*` stands for one part. */
function fits(name: string, declared: string): boolean {
  return declared.endsWith("*") ? name.startsWith(declared.slice(0, -1)) : name === declared;
}
