import { describe, expect, it } from "vitest";
import { readSettings, userPath } from "./settings.ts";

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

  it("keeps the keys of search so that they do not show themselves", () => {
    const settings = readSettings({ TAVILY_API_KEY: "k-456", PERPLEXITY_API_KEY: "k-789" }, places);
    expect(settings.search.tavily.apiKey?.reveal()).toBe("k-456");
    expect(JSON.stringify(settings)).not.toMatch(/k-456|k-789/);
  });

  it("knows which variables are set without keeping what they hold", () => {
    const settings = readSettings({ GEMINI_API_KEY: "k-123", TAVILY_API_KEY: "" }, places);
    expect([...settings.given]).toEqual(["GEMINI_API_KEY"]);
    expect(JSON.stringify({ ...settings, given: [...settings.given] })).not.toContain("k-123");
  });
});
