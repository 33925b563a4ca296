import type { IncomingMessage } from "node:http";
import { createHostCheck } from "@proofroom/access";
import { Refusal } from "./refusal.ts";

const refusals = {
  unclear: { status: 400, message: "The Host header is not valid." },
  host: { status: 403, message: "This gateway is not known by that name." },
  origin: { status: 403, message: "Pages of that origin may not call this gateway." },
} as const;

/**
 * Refuses requests that a foreign page has a browser send, and those that do not say clearly which name they mean.
 * @param allowedHosts names besides those of loopback
 * @throws Refusal, from what it answers
 */
export function createHostGuard(options: {
  host: string;
  allowedHosts: readonly string[];
}): (request: IncomingMessage) => void {
  const faultOf = createHostCheck({ ...options, localPages: true });
  return (request) => {
    const fault = faultOf(request);
    if (fault !== null) throw new Refusal(refusals[fault]);
  };
}
