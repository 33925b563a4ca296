import type { Capability, InputOf, OutputOf, PublicError } from "@proofroom/contracts";
import {
  isStale,
  type LedgerState,
  type Standing,
  type Successors,
  stepIdOf,
} from "@proofroom/runtime/records";

export interface PlannedStep {
  capability: Capability;
  input: Record<string, unknown>;
  stepId: string;
  generation: number;
  /** True where the newest generation is stale, so that this one must be asked for first. */
  renews: boolean;
}

export interface StepFailure {
  stepId: string;
  error: PublicError;
}

export interface Walk {
  /** The outputs of a stage whose steps are all done and fresh; null as soon as one is not, which ends the walk. */
  stage<C extends Capability>(
    requests: readonly { capability: C; input: InputOf<C> }[],
  ): OutputOf<C>[] | null;
  /** A stage of one step. */
  step<C extends Capability>(capability: C, input: InputOf<C>): OutputOf<C> | null;
  /** The same of a step without which the run goes on; why it failed is noted. `missing` ends the walk. */
  attempt<C extends Capability>(capability: C, input: InputOf<C>): OutputOf<C> | "missing" | "failed";
  /** Tells whoever reads the outcome something. */
  note(text: string): void;
  readonly missing: readonly PlannedStep[];
  readonly failures: readonly StepFailure[];
  readonly notes: readonly string[];
}

/**
 * Follows a run's stages through its ledger, in order. Pure: it only looks and notes what is missing.
 * @param rounds the steps that write again what steps before them have read, with the round in which they measure (null
 *   for those that write). A step that is neither passed nor among them was executed by a person with a tool, and what
 *   it wrote counts as a person's edit does
 */
export function startWalk(
  state: LedgerState,
  successors: Successors,
  rounds: ReadonlyMap<string, number | null>,
): Walk {
  const passed = new Set<string>();
  const missing: PlannedStep[] = [];
  const failures: StepFailure[] = [];
  const notes: string[] = [];

  /** What `other` is to `step`. The steps that measure one round's text belong together: a repair among them is no later text. */
  function standing(step: string, other: string): Standing {
    if (passed.has(other)) return "before";
    const round = rounds.get(other);
    if (round === undefined) return "outside";
    return round !== null && round === rounds.get(step) ? "beside" : "after";
  }

  function stage<C extends Capability>(
    requests: readonly { capability: C; input: InputOf<C> }[],
  ): OutputOf<C>[] | null {
    const outputs: OutputOf<C>[] = [];
    for (const { capability, input } of requests) {
      const stepId = stepIdOf(capability, input);
      const known = state.steps.get(stepId);
      const record = known?.record ?? null;
      const stale = record !== null && isStale(record, successors, (other) => standing(stepId, other));
      if (known !== undefined && record !== null && !stale) {
        outputs.push(capability.output.parse(record.output) as OutputOf<C>);
      } else if (known?.failure != null) {
        failures.push({ stepId, error: known.failure });
      } else {
        const generation = (known?.generation ?? 1) + (stale ? 1 : 0);
        missing.push({ capability, input, stepId, generation, renews: stale });
      }
    }
    for (const { capability, input } of requests) passed.add(stepIdOf(capability, input));
    return missing.length === 0 && failures.length === 0 ? outputs : null;
  }

  return {
    stage,
    step: (capability, input) => stage([{ capability, input }])?.[0] ?? null,
    attempt(capability, input) {
      const [output] = stage([{ capability, input }]) ?? [];
      if (output !== undefined) return output;
      const [failure] = failures;
      // Money that is spent is missed by all steps to come.
      if (failure === undefined || failure.error.code === "budget") return "missing";
      failures.length = 0;
      notes.push(`${capability.title} failed: ${failure.error.message}`);
      return "failed";
    },
    note: (text) => void notes.push(text),
    missing,
    failures,
    notes,
  };
}
