import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createKeyCheck } from "./api-keys.ts";

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

describe("keys", () => {
  const check = createKeyCheck([sha256("one"), sha256("two")]);

  it("let each of their holders in", () => {
    expect(check("Bearer one")).toBe(true);
    expect(check("bearer  two")).toBe(true);
  });

  it.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Bearer three",
    "Basic one",
    "one",
    `Bearer ${sha256("one")}`,
  ])("%j opens nothing", (header) => expect(check(header)).toBe(false));

  it("without any, everybody is let in, which only loopback allows", () => {
    expect(createKeyCheck([])(undefined)).toBe(true);
  });
});
