import { describe, expect, it } from "vitest";
import { readServiceSettings } from "./service-settings.ts";

const places = { cwd: "/user", checkout: "/checkout" };
const redis = { REDIS_URL: "redis://:hunter2@queue.internal" };
const read = (env: Record<string, string>) => readServiceSettings({ ...redis, ...env }, places, "research");

describe("the settings of a service", () => {
  it("by default give it all of its queues, as many jobs as the catalog says, and half a minute to drain", () => {
    const { share, graceMs, logLevel } = read({});
    expect(share.queues).toBeUndefined();
    expect(share.concurrencyOf?.("ingest_web_page")).toBeUndefined();
    expect([graceMs, logLevel]).toEqual([30_000, "info"]);
  });

  it("may be the same for every service: each takes its own queues", () => {
    const { share } = read({ PROOFROOM_QUEUES: "ingest_web_page, draft_article_section" });
    expect([...(share.queues ?? [])]).toContain("ingest_web_page");
  });

  it.each([
    ["4", { ingest_web_page: 4, ingest_video: 4 }],
    ["ingest_web_page=8, draft_article_section=2", { ingest_web_page: 8, ingest_video: undefined }],
  ])("PROOFROOM_CONCURRENCY=%s is %j", (PROOFROOM_CONCURRENCY, expected) => {
    const { share } = read({ PROOFROOM_CONCURRENCY });
    for (const [name, count] of Object.entries(expected)) expect(share.concurrencyOf?.(name)).toBe(count);
  });

  it.each([
    [{ REDIS_URL: "" }, "REDIS_URL: must be set"],
    [{ REDIS_URL: "queue.internal:6379" }, "REDIS_URL: must be redis://"],
    [{ PROOFROOM_QUEUES: "ingest_web_pages" }, "PROOFROOM_QUEUES: names a queue that is not there"],
    [{ PROOFROOM_QUEUES: "draft_article_section" }, "PROOFROOM_QUEUES: names no queue of research"],
    [{ PROOFROOM_CONCURRENCY: "0" }, "PROOFROOM_CONCURRENCY: must be"],
    [{ PROOFROOM_CONCURRENCY: "nothing=4" }, "PROOFROOM_CONCURRENCY: names a queue that is not there"],
    [{ PROOFROOM_GRACE: "-1" }, "PROOFROOM_GRACE"],
    [{ REDIS_TLS_CA: "ca.pem" }, "REDIS_TLS_CA: needs a REDIS_URL that begins with rediss"],
    [
      { REDIS_SENTINEL_PASSWORD: "hunter2" },
      "REDIS_SENTINEL_PASSWORD: needs a REDIS_URL that names Sentinels",
    ],
    [{ REDIS_URL: "rediss://queue", REDIS_TLS_CERT: "a" }, "REDIS_TLS_KEY: must be set"],
  ])("%j is refused, and shows nothing of what it holds", (env, message) => {
    expect(() => read(env)).toThrow(message);
    expect(() => read(env)).not.toThrow("hunter2");
  });
});
