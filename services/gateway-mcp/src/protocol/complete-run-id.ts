import { listRunIds } from "@proofroom/runtime/records";
import type { GatewayDeps } from "../gateway-deps.ts";
import { guarded } from "./guarded.ts";

/** Completes the id of a run: the caller's runs whose ids begin so, newest first. */
export function completeRunId(open: () => Promise<GatewayDeps>): (start: string) => Promise<string[]> {
  async function starting(start: string): Promise<string[]> {
    const { store, tenant } = await open();
    return (await listRunIds(store, { tenant })).filter((id) => id.startsWith(start));
  }
  return (start) => guarded(starting(start));
}
