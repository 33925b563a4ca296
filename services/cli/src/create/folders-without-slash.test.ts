import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { foldersWithoutSlash } from "./folders-without-slash.ts";

let folder: TempFolder;

beforeEach(async () => {
  folder = await makeTempFolder();
  for (const name of ["repo", "notes", "deep/er", "word"])
    await mkdir(join(folder.path, name), { recursive: true });
  await writeFile(join(folder.path, "file"), "");
});

afterEach(() => folder.close());

it.each([
  ["- `repo`\n", ["repo"]],
  ['See "deep/er" too.\n', ["deep/er"]],
  ["- notes\n* repo\n", ["notes", "repo"]],
  ["- `repo/`\n- `notes/`\n", []],
  ["The `repo` is in repo/ as a source.\n", []],
  ["- a word that is no name\n- file\n- nothing\n- `../x`\n- `/etc`\n- `.`\n", []],
])("a folder that lacks its slash is found where it could have been a source: %j", async (text, found) => {
  expect(await foldersWithoutSlash(text, folder.path)).toEqual(found);
});
