import type { RunArtifacts } from "@proofroom/artifacts";
import type { StepRecord } from "@proofroom/contracts";
import { stepOfAuthor } from "./canonical.ts";

/** Who wrote the version that followed the one a step read: `name` and version to the author. */
export type Successors = ReadonlyMap<string, string>;

function successorKey(name: string, version: number): string {
  return `${name}@${version}`;
}

/** Looks up what has followed the versions that the records read. */
export async function loadSuccessors(
  artifacts: RunArtifacts,
  records: Iterable<StepRecord>,
): Promise<Successors> {
  const heads = await artifacts.heads();
  const successors = new Map<string, string>();
  for (const record of records) {
    for (const { name, version } of record.reads) {
      const key = successorKey(name, version);
      if (successors.has(key) || (heads.get(name) ?? 0) <= version) continue;
      successors.set(key, (await artifacts.version(name, version + 1)).author);
    }
  }
  return successors;
}

/**
 * Whether a finished step must be run again: something it read has since been changed by a person, or by a step
 * that comes before it. What it, or a step after it, wrote over its input leaves it as it is.
 */
export function isStale(
  record: StepRecord,
  successors: Successors,
  comesBefore: (stepId: string) => boolean,
): boolean {
  return record.reads.some(({ name, version }) => {
    const author = successors.get(successorKey(name, version));
    if (author === undefined) return false;
    const step = stepOfAuthor(author);
    if (step === null) return true;
    return step !== record.step_id && comesBefore(step);
  });
}
