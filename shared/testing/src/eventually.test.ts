import { describe, expect, it } from "vitest";
import { eventually } from "./eventually.ts";

describe("waiting for a condition", () => {
  it("ends when it holds, whether it is told at once or later", async () => {
    let looks = 0;
    await eventually(() => ++looks === 3, 20_000, 1);
    expect(looks).toBe(3);
    await eventually(async () => ++looks === 6, 20_000, 1);
    expect(looks).toBe(6);
  });

  it("fails when it never holds", async () => {
    await expect(eventually(() => false, 5, 1)).rejects.toThrow("did not come true within 5 ms");
  });

  it("fails when one look never comes to an end", async () => {
    const hangs = () => new Promise<boolean>(() => undefined);
    await expect(eventually(hangs, 5, 1)).rejects.toThrow("did not come true within 5 ms");
  });

  it("looks once even where there is no time", async () => {
    await eventually(async () => true, 0);
  });

  it("fails with what the condition fails with", async () => {
    const fails = () => Promise.reject(new Error("broken"));
    await expect(eventually(fails)).rejects.toThrow("broken");
  });
});
