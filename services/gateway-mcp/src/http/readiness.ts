import { whatIsAway } from "@proofroom/runtime";
import type { GatewayDeps } from "../gateway-deps.ts";

/** How long an answer is given again, in milliseconds: whoever asks is not asked who they are. */
const keptMs = 1_000;

/** Tells what of that with which the tools work is away. */
export function createReadiness(deps: GatewayDeps): () => Promise<string[]> {
  let asked = Number.NEGATIVE_INFINITY;
  let away: Promise<string[]> = Promise.resolve([]);
  return () => {
    const now = performance.now();
    if (now - asked >= keptMs) {
      asked = now;
      away = whatIsAway(deps);
    }
    return away;
  };
}
