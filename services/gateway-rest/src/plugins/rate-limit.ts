import type { FastifyInstance } from "fastify";
import type { AppDeps } from "../deps.ts";
import { HttpProblem } from "../problems/http-problem.ts";

/** Buckets kept at most; those that have filled up again are dropped first. */
const bucketLimit = 10_000;

interface Bucket {
  tokens: number;
  /** When it was last counted, in milliseconds. */
  at: number;
}

/** Token buckets, one per name: each holds `burst` requests and gains `perSecond`. */
function createTokenBuckets(rate: { perSecond: number; burst: number }) {
  const buckets = new Map<string, Bucket>();

  function filled(bucket: Bucket, now: number): number {
    return Math.min(rate.burst, bucket.tokens + (Math.max(now - bucket.at, 0) / 1_000) * rate.perSecond);
  }

  return {
    /** Takes one token; answers 0, or in how many seconds there will be one. */
    take(name: string, now: number): number {
      if (buckets.size >= bucketLimit && !buckets.has(name)) {
        for (const [key, bucket] of buckets) if (filled(bucket, now) >= rate.burst) buckets.delete(key);
      }
      const tokens = filled(buckets.get(name) ?? { tokens: rate.burst, at: now }, now);
      buckets.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
      return tokens >= 1 ? 0 : (1 - tokens) / rate.perSecond;
    },
  };
}

/** Slows down who asks for too much: by key, or by address where no keys are set. */
export function installRateLimit(app: FastifyInstance, deps: Pick<AppDeps, "auth" | "now">): void {
  const { rate } = deps.auth;
  if (rate === undefined) return;
  const buckets = createTokenBuckets(rate);
  app.addHook("onRequest", async (request) => {
    if (request.routeOptions.config.access === "local") return;
    const name =
      request.principal === "open" ? `address ${request.raw.socket.remoteAddress ?? ""}` : request.principal;
    const wait = buckets.take(name, deps.now().getTime());
    if (wait === 0) return;
    throw new HttpProblem({
      status: 429,
      code: "quota",
      detail: "Too many requests.",
      headers: { "retry-after": String(Math.ceil(wait)) },
    });
  });
}
