import { runIdSchema } from "@proofroom/contracts";

/** The argument of every tool and prompt that is about a run. */
export const runIdArgument = runIdSchema.describe("The run, from create_run or list_runs.");
