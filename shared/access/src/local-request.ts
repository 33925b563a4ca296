import type { IncomingMessage } from "node:http";
import { askedHost } from "./asked-host.ts";
import { isLoopback } from "./exposure.ts";

/** Headers by which a proxy says that it speaks for somebody else. */
const proxyHeader =
  /^(?:forwarded|via|x-forwarded-.+|x-(?:real|client|cluster-client)-ip|(?:cf|fastly)-.+|true-client-ip)$/;

/** Whether a peer on this machine asks for this machine, and does not only pass on what came from elsewhere. */
export function isLocalRequest(request: IncomingMessage): boolean {
  const forwarded = Object.keys(request.headers).some((name) => proxyHeader.test(name));
  const name = askedHost(request)?.name.replace(/^\[(.*)\]$/, "$1") ?? "";
  return !forwarded && isLoopback(name) && isLoopback(request.socket.remoteAddress ?? "");
}
