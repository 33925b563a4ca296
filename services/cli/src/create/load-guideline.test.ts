import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadGuideline } from "./load-guideline.ts";

let folder: TempFolder;

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(() => folder.close());

describe("a guideline that cannot be read", () => {
  it("is told as such", async () => {
    // A file that nobody can read from its beginning.
    await expect(loadGuideline("/proc/self/mem")).rejects.toMatchObject({
      code: "invalid_input",
      remedy: expect.any(String),
    });
  });
});

describe("a guideline that would take minutes to read", () => {
  it.each([
    ["a list for each of 20,000 sections", "## Section\n- point\n".repeat(20_000)],
    ["a megabyte of brackets", "[".repeat(1_000_000)],
  ])("is refused at once: %s", async (_name, text) => {
    const path = join(folder.path, "guideline.md");
    await writeFile(path, text);
    await expect(loadGuideline(path)).rejects.toMatchObject({
      code: "too_large",
      remedy: expect.any(String),
    });
  });
});
