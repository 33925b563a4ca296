import type { RunArtifacts } from "@proofroom/artifacts";
import type { StepRecord } from "@proofroom/contracts";
import { stepOfAuthor } from "./canonical.ts";

/** Who wrote the versions that followed the one a step read: `name@version` to the authors, in order. */
export type Successors = ReadonlyMap<string, readonly string[]>;

function successorKey(name: string, version: number): string {
  return `${name}@${version}`;
}

/** Looks up what has followed the versions that the records read. */
export async function loadSuccessors(
  artifacts: RunArtifacts,
  records: Iterable<StepRecord>,
): Promise<Successors> {
  const heads = await artifacts.heads();
  const successors = new Map<string, string[]>();
  for (const record of records) {
    for (const { name, version } of record.reads) {
      const key = successorKey(name, version);
      if (successors.has(key)) continue;
      const authors: string[] = [];
      for (let n = version + 1; n <= (heads.get(name) ?? 0); n += 1) {
        authors.push((await artifacts.version(name, n)).author);
      }
      successors.set(key, authors);
    }
  }
  return successors;
}

/**
 * What a step that wrote over another's input is to that one: it comes `before` it in the plan, `after` it, belongs
 * with it to the same measurement of one text (`beside`), or is not of the plan at all (`outside`).
 */
export type Standing = "before" | "after" | "beside" | "outside";

/**
 * Whether a finished step must be run again. It must, where a step before it has written again what it read. A person's
 * text (or that of a step outside the plan) makes stale the steps that would have read it: those whose input had not
 * been written over by themselves or by a step after them when the person came.
 */
export function isStale(
  record: StepRecord,
  successors: Successors,
  standingOf: (stepId: string) => Standing,
): boolean {
  return record.reads.some(({ name, version }) => {
    let overtaken = false;
    for (const author of successors.get(successorKey(name, version)) ?? []) {
      const step = stepOfAuthor(author);
      const standing = step === null ? "outside" : step === record.step_id ? "after" : standingOf(step);
      if (standing === "before" || (standing === "outside" && !overtaken)) return true;
      if (standing === "after") overtaken = true;
    }
    return false;
  });
}
