import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFsStore, type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { artifact } from "@proofroom/contracts";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { artifactReader, copyResults } from "./results.ts";

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

const copy = (of: string) => copyResults(artifactReader(store, of), out(), (line) => notes.push(line));

async function publish(text: string, name: string = artifact.article, of = runId) {
  await openRunArtifacts(store, of).write(name, Buffer.from(text), { author: "step.g1" });
  return copy(of);
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

  it("never stand beside those of an earlier run, whose page would speak for another article", async () => {
    await publish("one");
    await publish("This article passed its checks", artifact.page);
    const later = `run_${"1".repeat(26)}`;
    expect(await publish("failed", artifact.article, later)).toEqual({ article: join(out(), "article.md") });
    expect(await readFile(join(out(), "article.kept-1.html"), "utf8")).toBe("This article passed its checks");
    expect(notes).toEqual([expect.stringContaining(join(out(), "article.kept-1.html"))]);
    await copy(later);
    expect((await readdir(out())).sort()).toEqual([
      ".proofroom-results.json",
      "article.kept-1.html",
      "article.md",
    ]);
    expect(notes).toHaveLength(1);
  });

  it("leave a page alone that no run has written, and the results of an earlier run where they have none", async () => {
    await mkdir(out());
    await writeFile(join(out(), "article.html"), "my own page");
    await publish("one");
    expect(await copy(`run_${"1".repeat(26)}`)).toEqual({});
    expect(await readFile(join(out(), "article.html"), "utf8")).toBe("my own page");
    expect(await readFile(join(out(), "article.md"), "utf8")).toBe("one");
    expect(notes).toEqual([]);
  });
});
