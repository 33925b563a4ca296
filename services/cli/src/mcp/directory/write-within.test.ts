import { describe, expect, it } from "vitest";
import { assertWritable, createFile } from "./write-within.ts";

describe("a folder that takes nothing", () => {
  // Nobody may write there, whoever they are.
  it.each([".nova/note.json", "note.json"])("is told as such, with what to do: %s", async (name) => {
    for (const write of [assertWritable, createFile])
      await expect(write("/sys", name, "text")).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringMatching(/\((EROFS|EACCES|EPERM)\)/),
        remedy: expect.any(String),
      });
  });
});
