import { runIdSchema } from "@proofroom/contracts";
import { HttpProblem } from "../problems/http-problem.ts";

/** A place in the list of runs, after this one. Opaque to clients, so that what it says may change. */
export function encodeCursor(runId: string): string {
  return Buffer.from(`1 ${runId}`).toString("base64url");
}

/** @throws HttpProblem 400 for whatever is not a cursor of ours */
export function decodeCursor(cursor: string): string {
  const [version, runId] = Buffer.from(cursor, "base64url").toString("latin1").split(" ");
  const parsed = runIdSchema.safeParse(runId);
  if (version === "1" && parsed.success && encodeCursor(parsed.data) === cursor) return parsed.data;
  throw new HttpProblem({ status: 400, code: "invalid_input", detail: "The cursor is not one of a page." });
}
