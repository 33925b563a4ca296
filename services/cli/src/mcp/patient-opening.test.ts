import { describe, expect, it } from "vitest";
import { openPatiently } from "./patient-opening.ts";

describe("what is opened patiently", () => {
  it("is opened once for all who ask, and again after it failed", async () => {
    let begun = 0;
    const opening = openPatiently(async () => {
      begun += 1;
      if (begun === 1) throw new Error("not yet");
      return begun;
    });
    expect(await opening.current()).toBeUndefined();
    await expect(opening.get()).rejects.toThrow("not yet");
    expect(await opening.current()).toBeUndefined();
    expect(await Promise.all([opening.get(), opening.get()])).toEqual([2, 2]);
    expect(await opening.current()).toBe(2);
  });

  it("is not waited for longer than a call may, and goes on", async () => {
    const slow = Promise.withResolvers<string>();
    const opening = openPatiently(() => slow.promise, 1);
    await expect(opening.get()).rejects.toMatchObject({
      code: "dependency_down",
      remedy: expect.any(String),
    });
    slow.resolve("open");
    expect(await opening.get()).toBe("open");
  });
});
