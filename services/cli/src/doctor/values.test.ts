import { expect, it } from "vitest";
import { readSettings } from "../settings.ts";
import { secretSettings } from "../testing/canaries.ts";
import { shownValues } from "./values.ts";

const places = { cwd: "/user", checkout: "/checkout" };
const shown = (env: Record<string, string>) => Object.fromEntries(shownValues(readSettings(env, places)));

it("what counts is shown in the units that the settings are given in, set or not", () => {
  expect(shown({})).toMatchObject({
    PROOFROOM_STORE: "file:/checkout/.proofroom",
    PROOFROOM_PAGE_CACHE: "7d",
    PROOFROOM_SITE_PAGES: "20",
    PROOFROOM_TENANT_JOBS: "any number",
    PROOFROOM_MODEL_TIMEOUT: "240 s",
  });
  const given = {
    PROOFROOM_STORE: "s3://bucket/prefix",
    PROOFROOM_PAGE_CACHE: "36h",
    PROOFROOM_SITE_PAGES: "50",
    PROOFROOM_TENANT_JOBS: "4",
    PROOFROOM_CONCURRENCY: "ingest_web_page=8",
    TAVILY_TIMEOUT: "5 s",
    ARXIV_BASE_URL: "http://127.0.0.1:9",
  };
  expect(shown({ ...given, TAVILY_TIMEOUT: "5" })).toMatchObject(given);
  expect(shown({ PROOFROOM_PAGE_CACHE: "off" })["PROOFROOM_PAGE_CACHE"]).toBe("off");
});

it("no secret is among what is shown", () => {
  expect(secretSettings.length).toBeGreaterThan(0);
  const values = shown({
    TAVILY_API_KEY: "canary-1",
    PERPLEXITY_API_KEY: "canary-2",
    REDIS_URL: "redis://:canary-3@h",
  });
  expect(Object.keys(values).filter((name) => secretSettings.includes(name))).toEqual([]);
  expect(JSON.stringify(values)).not.toContain("canary");
});
