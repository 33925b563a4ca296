import type { Capability } from "@proofroom/contracts";
import type { Redis } from "ioredis";
import { interrupted } from "./disposition.ts";
import { createFairTurns, type Owner } from "./fair-turns.ts";
import type { QueuePool } from "./queue-pool.ts";
import { reaching } from "./reaching.ts";
import type { StepJob } from "./step-job.ts";

/** Thrown by a processor that has submitted children: the job leaves the worker and comes back when they are through. */
export class WaitForChildren extends Error {
  readonly children: readonly { capability: Capability; job: StepJob }[];
  /** Whose they are: they wait in turns with those of others. */
  readonly owner: Owner;

  constructor(children: readonly { capability: Capability; job: StepJob }[], owner: Owner) {
    super("waiting for children");
    this.name = "WaitForChildren";
    this.children = children;
    this.owner = owner;
  }
}

/** Children are handed to Redis this many at a time. */
const addedAtOnce = 50;

/** A job in its queue, by BullMQ's names. */
interface Parent {
  id: string;
  queue: string;
}

/**
 * Answers what puts the children of a capability's jobs into their queues, each once, so that the job can wait for them.
 * @throws ProofroomError, of each call: dependency_down; internal where a parent that lives has one of them; cancelled, as an
 *   interruption
 */
export function createChildren(connection: Redis, pool: QueuePool, capability: Capability) {
  const turns = createFairTurns(connection);

  /** One turn for each child, in the queue of its capability. */
  async function turnsOf(children: WaitForChildren["children"], owner: Owner): Promise<readonly number[]> {
    const counts = new Map<string, number>();
    for (const { capability: of } of children) counts.set(of.name, (counts.get(of.name) ?? 0) + 1);
    const taken = new Map<string, number[]>();
    for (const [name, count] of counts) taken.set(name, [...(await turns.take(name, owner, count))]);
    return children.map(({ capability: of }) => taken.get(of.name)?.shift() ?? 0);
  }

  return async (parent: Parent, { children, owner }: WaitForChildren, signal: AbortSignal): Promise<void> => {
    const link = { parent, ignoreDependencyOnFailure: true };
    for (let from = 0; from < children.length; from += addedAtOnce) {
      if (signal.aborted) throw interrupted(capability);
      const some = children.slice(from, from + addedAtOnce);
      const priorities = await turnsOf(some, owner);
      await reaching(connection, () =>
        Promise.all(
          some.map((child, at) =>
            pool.ensure(child.capability, child.job, { ...link, priority: priorities[at] ?? 0 }),
          ),
        ),
      );
    }
  };
}
