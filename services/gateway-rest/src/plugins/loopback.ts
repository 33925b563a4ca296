import { isIPv4 } from "node:net";

/** Whether an address to listen on, or a peer's, is of this machine alone. */
export function isLoopback(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, "");
  return plain === "localhost" || plain === "::1" || (isIPv4(plain) && plain.startsWith("127."));
}
