import { readFile } from "node:fs/promises";
import { parseGuidelineReferences } from "@proofroom/evidence";
import { makeTempFolder } from "@proofroom/testing";
import { expect, it } from "vitest";
import { writeNotesGuideline } from "./notes-guideline.ts";

it("writes a guideline that names as many notes as were asked for, and notes that all differ", async () => {
  const folder = await makeTempFolder();
  try {
    const guideline = await readFile(await writeNotesGuideline(folder.path, 100), "utf8");
    const { local_file_paths } = parseGuidelineReferences(guideline);
    expect(local_file_paths).toHaveLength(100);
    const notes = await Promise.all(
      local_file_paths.map((path) => readFile(`${folder.path}/${path}`, "utf8")),
    );
    expect(new Set(notes).size).toBe(100);
  } finally {
    await folder.close();
  }
});
