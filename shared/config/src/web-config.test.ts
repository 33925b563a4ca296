import { describe, expect, test } from "vitest";
import { parseEnv } from "./parse-env.ts";
import { webConfig } from "./web-config.ts";

describe("the settings of fetching", () => {
  test("without any, this machine fetches by itself, and obeys robots.txt", () => {
    expect(parseEnv(webConfig, { PATH: "/bin" }).web).toEqual({
      firecrawl: undefined,
      timeoutMs: 20_000,
      robots: true,
      chromium: { given: undefined, searchPath: "/bin" },
      sitePages: 20,
    });
  });

  test("a key alone means Firecrawl's cloud, an address alone one that needs no key", () => {
    const cloud = parseEnv(webConfig, { FIRECRAWL_API_KEY: "fc-canary" }).web.firecrawl;
    expect(cloud).toMatchObject({ baseUrl: "https://api.firecrawl.dev", timeoutMs: 60_000 });
    expect(cloud?.apiKey?.reveal()).toBe("fc-canary");
    expect(JSON.stringify(cloud)).not.toContain("canary");
    expect(parseEnv(webConfig, { FIRECRAWL_API_URL: "http://10.0.0.7:3002/" }).web.firecrawl).toMatchObject({
      apiKey: undefined,
      baseUrl: "http://10.0.0.7:3002",
    });
  });

  test("times are given in seconds", () => {
    const env = {
      FIRECRAWL_API_URL: "http://x.dev",
      FIRECRAWL_TIMEOUT: "90",
      PROOFROOM_FETCH_TIMEOUT: "0.5",
    };
    expect(parseEnv(webConfig, env).web).toMatchObject({ timeoutMs: 500, firecrawl: { timeoutMs: 90_000 } });
  });

  test.each([
    ["FIRECRAWL_API_KEY", "two hunter2"],
    ["FIRECRAWL_API_URL", "ftp://hunter2"],
    ["FIRECRAWL_TIMEOUT", "0"],
    ["PROOFROOM_FETCH_TIMEOUT", "1000"],
    ["PROOFROOM_ROBOTS", "hunter2"],
    ["PROOFROOM_SITE_PAGES", "0"],
  ])("%s is refused without showing what it holds", (name, value) => {
    const parse = () => parseEnv(webConfig, { [name]: value });
    expect(parse).toThrow(name);
    expect(parse).not.toThrow(/hunter2/);
  });
});
