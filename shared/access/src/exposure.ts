import { isIPv4 } from "node:net";
import { ProofroomError } from "@proofroom/contracts";

/** Whether an address to listen on, or a peer's, is of this machine alone. */
export function isLoopback(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, "");
  return plain === "localhost" || plain === "::1" || (isIPv4(plain) && plain.startsWith("127."));
}

/**
 * Refuses to be open to other machines.
 * @throws ProofroomError not_configured for an address beyond loopback where nobody is asked who they are
 */
export function assertProtected(options: { host: string; protectedBy: boolean }): void {
  if (options.protectedBy || isLoopback(options.host)) return;
  throw new ProofroomError({
    code: "not_configured",
    message: "Without API keys the gateway listens on a loopback address only.",
    remedy: "Set PROOFROOM_API_KEYS to the sha256 of each key, in hex, separated by commas.",
  });
}
