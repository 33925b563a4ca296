import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFsStore, type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { artifact } from "@proofroom/contracts";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyResults } from "./results.ts";

const runId = `run_${"0".repeat(26)}`;
let folder: TempFolder;
let store: ObjectStore;
let notes: string[];

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: join(folder.path, "home") });
  notes = [];
});

afterEach(() => folder.close());

const out = () => join(folder.path, "out");

async function publish(text: string) {
  await openRunArtifacts(store, runId).write(artifact.article, Buffer.from(text), { author: "step.g1" });
  return copyResults(store, runId, out(), (line) => notes.push(line));
}

describe("the results of a run", () => {
  it("take the place of the results that stood there", async () => {
    expect(await publish("one")).toEqual({ article: join(out(), "article.md") });
    await publish("two");
    expect(await readFile(join(out(), "article.md"), "utf8")).toBe("two");
    expect((await readdir(out())).sort()).toEqual([".proofroom-results.json", "article.md"]);
    expect(notes).toEqual([]);
  });

  it("never take the place of what somebody wrote there", async () => {
    await publish("one");
    await writeFile(join(out(), "article.md"), "my own words");
    await publish("two");
    await writeFile(join(out(), "article.md"), "my later words");
    await publish("three");
    expect(await readFile(join(out(), "article.kept-1.md"), "utf8")).toBe("my own words");
    expect(await readFile(join(out(), "article.kept-2.md"), "utf8")).toBe("my later words");
    expect(await readFile(join(out(), "article.md"), "utf8")).toBe("three");
    expect(notes).toHaveLength(2);
  });
});
