import { namedOrExample } from "../create/example.ts";
import type { ExitCode } from "../output/failure.ts";
import type { CommandContext } from "./context.ts";
import { createRunFrom, type NewRunRequest } from "./create-run.ts";
import { driveNewRun } from "./drive-new-run.ts";

export interface WriteRequest extends NewRunRequest {
  out: string | undefined;
  example: boolean;
}

/** Creates a run and follows it from its guideline to the finished page. */
export async function writeCommand(context: CommandContext, request: WriteRequest): Promise<ExitCode> {
  const guideline = await namedOrExample(request, context.settings.checkout, context.signal);
  const runId = await createRunFrom(context, { ...request, guideline });
  return driveNewRun(context, { runId, out: request.out, note: `Run ${runId}` });
}
