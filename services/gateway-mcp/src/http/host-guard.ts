import type { IncomingMessage } from "node:http";
import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { askedHost, isLoopback } from "@proofroom/access";
import { Refusal } from "./refusal.ts";

/**
 * Refuses requests that a foreign page has a browser send: to a name that it has pointed here, or from its own origin;
 * and those that do not say clearly which name they mean.
 * @param allowedHosts names besides those of loopback
 * @throws Refusal, from what it answers
 */
export function createHostGuard(options: {
  host: string;
  allowedHosts: readonly string[];
}): (request: IncomingMessage) => void {
  const names = [...localhostAllowedHostnames(), ...options.allowedHosts];
  // Off loopback a key protects; which name a balancer or a cluster calls this by is known only where it was set.
  const checksHost = isLoopback(options.host) || options.allowedHosts.length > 0;
  return (request) => {
    if (askedHost(request) === null)
      throw new Refusal({ status: 400, message: "The Host header is not valid." });
    const { headers } = request;
    if (checksHost && !validateHostHeader(headers.host, names).ok) {
      throw new Refusal({ status: 403, message: "This gateway is not known by that name." });
    }
    if (!validateOriginHeader(headers.origin, names).ok) {
      throw new Refusal({ status: 403, message: "Pages of that origin may not call this gateway." });
    }
  };
}
