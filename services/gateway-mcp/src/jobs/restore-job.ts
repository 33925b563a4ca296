import { isProofroomError } from "@proofroom/contracts";
import { type JobRef, resubmitJob } from "@proofroom/runtime";
import type { GatewayDeps } from "../gateway-deps.ts";

/** Puts a job in again that waits for a worker, in case Redis lost it. While Redis is away it is left to the next time. */
export async function restoreJob(deps: GatewayDeps, job: JobRef): Promise<void> {
  try {
    await resubmitJob(deps, job);
  } catch (error) {
    if (!isProofroomError(error) || error.code !== "dependency_down") throw error;
  }
}
