import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { readSettings, userPath } from "./settings.ts";
import { secretSettings, settingNames } from "./testing/canaries.ts";

const places = { cwd: "/checkout", checkout: "/checkout" };

describe("readSettings", () => {
  it("keeps the default home in the checkout and resolves a given one where the user stands", () => {
    expect(readSettings({ INIT_CWD: "/home/user" }, places).home).toBe("/checkout/.proofroom");
    expect(readSettings({ INIT_CWD: "/home/user", PROOFROOM_HOME: "data" }, places).home).toBe(
      "/home/user/data",
    );
    expect(userPath(readSettings({ INIT_CWD: "/home/user" }, places), "a/b")).toBe("/home/user/a/b");
  });

  it("names the variable that is wrong, and never its value", () => {
    const wrong = () => readSettings({ REDIS_URL: "secret-value" }, places);
    expect(wrong).toThrow(expect.objectContaining({ code: "invalid_input" }));
    expect(wrong).toThrow(/REDIS_URL/);
    expect(wrong).not.toThrow(/secret-value/);
  });

  const shown = (name: string, value: string) => {
    try {
      return JSON.stringify(readSettings({ [name]: value }, places));
    } catch (error) {
      return inspect(error);
    }
  };

  it.each(secretSettings)("does not show what is in %s, right or wrong", (name) => {
    for (const value of ["hunter2hunter2", "two hunter2hunter2"])
      expect(shown(name, value)).not.toContain("hunter2");
  });

  it.each(settingNames.filter((name) => /_(?:URL|ENDPOINT|OVERRIDE|ISSUER)$/.test(name)))(
    "does not show a password in the address that is in %s",
    (name) => {
      expect(shown(name, "https://user:hunter2hunter2@host.example")).not.toContain("hunter2");
    },
  );

  it("keeps the keys of search so that they do not show themselves", () => {
    const settings = readSettings({ TAVILY_API_KEY: "k-456", PERPLEXITY_API_KEY: "k-789" }, places);
    expect(settings.search.tavily.apiKey?.reveal()).toBe("k-456");
    expect(JSON.stringify(settings)).not.toMatch(/k-456|k-789/);
  });

  it("has serve take of the queues what a service takes, of all services, and its own grace where nobody says one", () => {
    const given = { PROOFROOM_QUEUES: "ingest_web_page,advance", PROOFROOM_CONCURRENCY: "ingest_web_page=8" };
    const { share, graceMs } = readSettings({ ...given, PROOFROOM_GRACE: "45" }, places);
    expect([...(share.queues ?? [])]).toEqual(["ingest_web_page", "advance"]);
    expect(share.concurrencyOf?.("ingest_web_page")).toBe(8);
    expect(share.concurrencyOf?.("advance")).toBeUndefined();
    expect(graceMs).toBe(45_000);
    const usual = readSettings({}, places);
    expect([usual.share.queues, usual.graceMs]).toEqual([undefined, undefined]);
    expect(() => readSettings({ PROOFROOM_QUEUES: "ingest" }, places)).toThrow(/PROOFROOM_QUEUES/);
  });

  it("knows which variables are set without keeping what they hold", () => {
    const settings = readSettings({ GEMINI_API_KEY: "k-123", TAVILY_API_KEY: "" }, places);
    expect([...settings.given]).toEqual(["GEMINI_API_KEY"]);
    expect(JSON.stringify({ ...settings, given: [...settings.given] })).not.toContain("k-123");
  });
});
