import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseGuidelineBrief, parseGuidelineReferences } from "@proofroom/evidence";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { guidelineOfTopic } from "./topic-guideline.ts";

let folder: TempFolder;

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(() => folder.close());

const at = (path: string) => join(folder.path, path);

describe("a guideline from a topic and sources", () => {
  it("names every source so that the parser finds it again, wherever it lies on disk", async () => {
    await mkdir(at("a/notes"), { recursive: true });
    await mkdir(at("b/notes"), { recursive: true });
    await writeFile(at("a/50% of (it) #1.md"), "x");
    const sources = ["a/notes", "b/notes", "a/50% of (it) #1.md", "https://example.org/p?q=1#part"];
    const { text, uploads } = await guidelineOfTopic("Retrying *safely* [now]", sources, at);
    const references = parseGuidelineReferences(text);
    expect(references.local_file_paths).toEqual(uploads.map(({ path }) => path));
    expect(references.local_file_paths).toEqual(["notes/", "notes-2/", "50% of (it) #1.md"]);
    expect(references.other_urls).toEqual(["https://example.org/p?q=1#part"]);
    expect(references.rejected).toEqual([]);
    expect(parseGuidelineBrief(text).title).toBe("Retrying *safely* [now]");
  });

  it.each([
    ["an empty topic", " ", ["https://example.org"], "invalid_input"],
    ["no source", "A topic", [], "invalid_input"],
    ["a source that is not there", "A topic", ["gone.md"], "not_found"],
  ])("refuses %s", async (_name, topic, sources, code) => {
    await expect(guidelineOfTopic(topic, sources, at)).rejects.toMatchObject({
      code,
      remedy: expect.any(String),
    });
  });
});
