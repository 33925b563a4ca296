import type { ObjectStore } from "@proofroom/artifacts";
import { runOptionsSchema } from "@proofroom/contracts";
import { createRun, type NewRun } from "@proofroom/runtime/records";

/** Creates a run of which nothing matters but what is given. */
export function createTestRun(store: ObjectStore, over: Partial<NewRun> = {}): Promise<string> {
  return createRun(store, {
    title: "t",
    plan: "write",
    options: runOptionsSchema.parse({}),
    guideline: "# t\n",
    author: "person",
    ...over,
  });
}
