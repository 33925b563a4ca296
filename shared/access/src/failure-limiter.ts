import { isIPv6 } from "node:net";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";

/** So many refusals a second are told to one peer as what they are. */
const refusalsPerSecond = 5;

/** The groups of an IPv6 address, all eight. */
function groupsOf(address: string): string[] {
  const [head = "", tail] = address.replace(/%.*/, "").split("::");
  const first = head.split(":").filter((group) => group !== "");
  const last = (tail ?? "").split(":").filter((group) => group !== "");
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => "0"), ...last];
}

/** Who can take any address of a network is one peer: of IPv6 the first 64 bits count. */
function networkOf(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
  return isIPv6(plain) ? groupsOf(plain).slice(0, 4).join(":") : plain;
}

/**
 * Counts, by the address of the peer, requests that are refused for want of a key that holds. What holds is let in all the same:
 * behind a proxy everybody has its address.
 * @param ratePerSecond how many requests a second one caller may send: no more are refused as what they are either
 */
export function createFailureLimiter(ratePerSecond: number): RateLimiter {
  const limiter = createRateLimiter(Math.min(ratePerSecond, refusalsPerSecond));
  return { take: (address, now) => limiter.take(networkOf(address), now) };
}
