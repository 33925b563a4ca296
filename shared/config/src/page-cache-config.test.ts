import { describe, expect, it } from "vitest";
import { pageCacheConfig } from "./page-cache-config.ts";
import { parseEnv } from "./parse-env.ts";

const read = (value?: string) =>
  parseEnv(pageCacheConfig, value === undefined ? {} : { PROOFROOM_PAGE_CACHE: value }).pageCacheMs;

describe("the age of cached pages", () => {
  it("is a week where nobody says otherwise", () => {
    expect(read()).toBe(7 * 24 * 3_600_000);
    expect(read("")).toBe(7 * 24 * 3_600_000);
  });

  it.each([
    ["600s", 600_000],
    ["12h", 43_200_000],
    ["2D", 172_800_000],
    ["off", null],
  ])("%s is understood", (value, ms) => {
    expect(read(value)).toBe(ms);
  });

  it.each(["0d", "7", "-1d", "1.5d", "91d", "99999999d", "week", "on"])("%s is refused", (value) => {
    expect(() => read(value)).toThrow("PROOFROOM_PAGE_CACHE: must be off, or an age such as 7d");
  });
});
