import { describe, expect, it } from "vitest";
import { createFailureLimiter } from "./failure-limiter.ts";

/** How many of so many refusals, from the addresses given by turns, are told as what they are. */
function toldOf(count: number, addresses: readonly string[], ratePerSecond = 50): number {
  const limiter = createFailureLimiter(ratePerSecond);
  const waits = Array.from({ length: count }, (_, n) =>
    limiter.take(addresses[n % addresses.length] ?? "", 0),
  );
  return waits.filter((wait) => wait === 0).length;
}

describe("requests without a key that holds", () => {
  it("are refused as what they are to a peer ten times at once, and to another as often", () => {
    expect(toldOf(100, ["10.0.0.1"])).toBe(10);
    expect(toldOf(100, ["10.0.0.1", "10.0.0.2"])).toBe(20);
  });

  it("are no more than a caller may send at all", () => {
    expect(toldOf(100, ["10.0.0.1"], 1)).toBe(2);
  });

  it.each([
    ["an address of IPv4 in either form", ["10.0.0.1", "::ffff:10.0.0.1", "::FFFF:10.0.0.1"]],
    ["a network of IPv6", ["2001:db8::1", "2001:db8:0:0:ffff::2", "2001:DB8:0:0:1:2:3:4", "2001:db8::%eth0"]],
  ])("count together from %s", (_name, addresses) => {
    expect(toldOf(100, addresses)).toBe(10);
  });

  it("count apart from two networks of IPv6", () => {
    expect(toldOf(100, ["2001:db8:0:1::1", "2001:db8:0:2::1"])).toBe(20);
    expect(toldOf(100, ["::1", "1::"])).toBe(20);
  });

  it("are told again after a time, which is said", () => {
    const limiter = createFailureLimiter(1);
    expect([limiter.take("a", 0), limiter.take("a", 0), limiter.take("a", 0)]).toEqual([0, 0, 1]);
    expect(limiter.take("a", 1_000)).toBe(0);
  });
});
