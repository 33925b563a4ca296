import { type Attempt, type AttemptContext, attempt } from "./attempt.ts";
import type { BlockNames } from "./block-names.ts";
import type { Candidate } from "./candidate.ts";
import { type Judgement, judge, mayNeedOthers } from "./judge.ts";

/** A block that has passed, with the blocks it needed for that (itself included), in order. */
export interface PassedBlock {
  candidate: Candidate;
  names: BlockNames;
  group: readonly number[];
}

interface GroupResult {
  /** The attempt that counts: the last one that reached the block. */
  attempt: Attempt;
  judgement: Judgement;
  /** The blocks it needed, itself included. */
  group: number[];
}

interface GroupContext extends AttemptContext {
  /** Judges an attempt that ended well against the output that the article shows. */
  compare(stdout: string): Judgement;
}

/**
 * Runs a block alone; if that fails for what others may provide, after all earlier blocks that passed; if those are in
 * its way, after the fewest that define the names it misses, the nearest definition first.
 *
 * @param earlier blocks of the same family before it that have passed, in order
 */
export async function runWithOthers(
  block: { candidate: Candidate; names: BlockNames },
  earlier: readonly PassedBlock[],
  context: GroupContext,
): Promise<GroupResult> {
  const run = async (others: readonly PassedBlock[]) => {
    const made = await attempt(
      others.map((other) => other.candidate),
      block.candidate,
      context,
    );
    const judgement = judge(made);
    return {
      attempt: made,
      judgement: judgement.run === "passed" ? context.compare(made.outcome.stdout) : judgement,
      group: [...others.map((other) => other.candidate.index), block.candidate.index],
    };
  };

  const alone = await run([]);
  if (!mayNeedOthers(alone.judgement) || earlier.length === 0) return alone;
  const full = await run(earlier);
  if (!isDisturbed(full.attempt)) {
    return full.judgement.run === "passed" ? await reduced(full, block.names, earlier, run) : full;
  }
  return await afterFewest(alone, earlier, run);
}

type Run = (others: readonly PassedBlock[]) => Promise<GroupResult>;

/** Whether it was the replayed blocks that went wrong rather than the block itself. */
function isDisturbed(made: Attempt): boolean {
  if (!made.reached || made.failedEarlier !== null) return true;
  return made.report?.kind === "exception" && made.report.redeclared;
}

/** Leaves out the blocks that share no name with it, if it does the same without them. */
async function reduced(
  full: GroupResult,
  names: BlockNames,
  earlier: readonly PassedBlock[],
  run: Run,
): Promise<GroupResult> {
  const related = relatedBlocks(names, earlier);
  if (related.length === earlier.length) return full;
  const less = await run(related);
  const same = less.judgement.run === "passed" && less.attempt.outcome.stdout === full.attempt.outcome.stdout;
  return same ? { ...full, group: less.group } : full;
}

/** Earlier blocks that define, or use and so may change, what the block needs, and what those need in turn. */
function relatedBlocks(names: BlockNames, earlier: readonly PassedBlock[]): PassedBlock[] {
  const shared = new Set(earlier.flatMap((other) => [...other.names.bound]));
  const needed = new Set([...names.read].filter((name) => shared.has(name)));
  const found: PassedBlock[] = [];
  for (const other of earlier.toReversed()) {
    const touches = [...other.names.bound, ...other.names.read].some((name) => needed.has(name));
    if (!touches) continue;
    found.unshift(other);
    for (const name of other.names.read) if (shared.has(name)) needed.add(name);
  }
  return found;
}

/** Adds one definition after the other until the block passes or nothing more is missing. */
async function afterFewest(
  alone: GroupResult,
  earlier: readonly PassedBlock[],
  run: Run,
): Promise<GroupResult> {
  let best = alone;
  let chosen: PassedBlock[] = [];
  const refused = new Set<number>();
  let missing = missingName(alone.attempt);
  // Each turn adds or refuses at least one block.
  for (let turn = 0; turn < 2 * earlier.length && missing !== null; turn += 1) {
    const name = missing;
    const definer = earlier.findLast(
      (other) =>
        other.names.bound.has(name) && !chosen.includes(other) && !refused.has(other.candidate.index),
    );
    if (definer === undefined) break;
    const wanted = new Set([...chosen.map((other) => other.candidate.index), ...definer.group]);
    const next = earlier.filter((other) => wanted.has(other.candidate.index));
    const result = await run(next);
    if (isDisturbed(result.attempt)) {
      const inner = result.attempt.failedEarlier?.missingName ?? null;
      if (inner === null || inner === name) refused.add(definer.candidate.index);
      else {
        chosen = next;
        missing = inner;
      }
      continue;
    }
    best = result;
    if (result.judgement.run === "passed") break;
    chosen = next;
    missing = missingName(result.attempt);
  }
  return best;
}

/** The name whose lack ended the attempt. */
export function missingName(made: Attempt): string | null {
  return made.report?.kind === "exception" ? made.report.missing_name : null;
}
