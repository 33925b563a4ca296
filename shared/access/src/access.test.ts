import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accessConfig } from "./access-config.ts";
import { bearerToken } from "./bearer.ts";
import { assertProtected, isLoopback } from "./exposure.ts";
import { createKeyFinder, createKeyring } from "./keyring.ts";
import { operatorKeys } from "./operator-keys.ts";
import { createRateLimiter } from "./rate-limiter.ts";

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

describe("API keys", () => {
  it("are read with the tenant whose they are, or as the default tenant's", () => {
    const { apiKeys } = accessConfig.parse({
      PROOFROOM_API_KEYS: ` ${sha256("a").toUpperCase()}, docs-team:${sha256("b")} ,`,
    });
    expect(apiKeys).toEqual([
      { tenant: "default", sha256: sha256("a") },
      { tenant: "docs-team", sha256: sha256("b") },
    ]);
    const keyring = createKeyring(apiKeys);
    expect(keyring.find("b")).toEqual({ tenant: "docs-team", id: sha256("b") });
    expect(keyring.find("c")).toBeNull();
    expect(keyring.find(sha256("a"))).toBeNull();
    expect(createKeyring([]).holds).toBe(false);
  });

  it.each([
    "secret",
    ",",
    " ",
    `Docs:${sha256("a")}`,
    `../x:${sha256("a")}`,
    `a:b:${sha256("a")}`,
    `:${sha256("a")}`,
    `${sha256("a")},x:${sha256("a")}`,
  ])("%j are refused", (text) => {
    expect(accessConfig.safeParse({ PROOFROOM_API_KEYS: text }).success).toBe(false);
  });

  it.each([
    ["Bearer abc", "abc"],
    ["bearer  abc ", "abc"],
    ["Basic abc", null],
    ["Bearer", null],
    ["Bearer a b", null],
    [undefined, null],
  ])("of the header %j the token is %j", (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });
});

describe("operators' keys", () => {
  it("are read by their hashes, of which each finds the key that has it", () => {
    const hashes = operatorKeys.parse(` ${sha256("a").toUpperCase()}, ${sha256("b")},`);
    expect(hashes).toEqual([sha256("a"), sha256("b")]);
    const find = createKeyFinder(hashes);
    expect([find("a"), find("b"), find("c"), find(sha256("a"))]).toEqual([
      sha256("a"),
      sha256("b"),
      null,
      null,
    ]);
    expect(createKeyFinder(operatorKeys.parse(""))("a")).toBeNull();
  });

  it.each(["secret", `docs:${sha256("a")}`])("%j are refused, as no tenant's key is one", (text) => {
    expect(operatorKeys.safeParse(text).success).toBe(false);
  });
});

describe("exposure", () => {
  it.each(["127.0.0.1", "127.8.8.8", "::1", "localhost", "::ffff:127.0.0.1"])(
    "%s is this machine alone",
    (host) => {
      expect(isLoopback(host)).toBe(true);
      assertProtected({ host, protectedBy: false });
    },
  );

  it.each(["0.0.0.0", "::", "192.168.1.1", "127.0.0.1.example.com", "1270.0.0.1"])(
    "%s is not, and is refused without keys",
    (host) => {
      expect(isLoopback(host)).toBe(false);
      expect(() => assertProtected({ host, protectedBy: false })).toThrow(
        expect.objectContaining({ code: "not_configured" }),
      );
      assertProtected({ host, protectedBy: true });
    },
  );
});

describe("the rate limiter", () => {
  it("lets through two seconds' worth at once and then as many as the rate, whatever the pauses", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 300 }),
        (rate, pauses) => {
          const limiter = createRateLimiter(rate);
          let now = 0;
          let taken = 0;
          for (const pause of pauses) {
            now += pause;
            if (limiter.take("a", now) === 0) taken += 1;
            expect(taken).toBeLessThanOrEqual(rate * 2 + (now / 1_000) * rate + 1e-6);
          }
        },
      ),
    );
  });

  it("says how long to wait, and takes the next request then; callers do not share", () => {
    const limiter = createRateLimiter(1);
    expect([limiter.take("a", 0), limiter.take("a", 0)]).toEqual([0, 0]);
    expect(limiter.take("a", 500)).toBe(0.5);
    expect(limiter.take("b", 500)).toBe(0);
    expect(limiter.take("a", 1_000)).toBe(0);
  });

  it("forgets who has nothing to wait for, and not who has, when there are too many", () => {
    const limiter = createRateLimiter(0.1);
    for (let n = 0; n < 10_000; n += 1) limiter.take(`early ${n}`, 0);
    expect(limiter.take("greedy", 9_000)).toBe(0);
    for (let n = 0; n < 9_000; n += 1) limiter.take(`late ${n}`, 10_000);
    expect(limiter.take("greedy", 10_000)).toBeGreaterThan(0);
    expect(limiter.take("early 1", 10_000)).toBe(0);
  });

  it("lets a rate below one request in two seconds through all the same", () => {
    const limiter = createRateLimiter(0.01);
    expect(limiter.take("a", 0)).toBe(0);
    expect(limiter.take("a", 1_000)).toBeCloseTo(99);
  });
});
