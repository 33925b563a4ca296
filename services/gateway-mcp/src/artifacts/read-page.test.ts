import { createFsStore, type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { runOptionsSchema } from "@proofroom/contracts";
import { createRun } from "@proofroom/runtime/records";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readPage } from "./read-page.ts";

let folder: TempFolder;
let store: ObjectStore;
let runId: string;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  const options = runOptionsSchema.parse({});
  const guideline = "# t\n";
  runId = await createRun(store, { title: "t", plan: "write", options, guideline, author: "person" });
});

afterEach(() => folder.close());

async function write(name: string, body: Uint8Array) {
  await openRunArtifacts(store, runId).write(name, body, { author: "person" });
}

async function pages(name: string, limit: number) {
  const found: string[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page = await readPage(store, { runId, name, offset, limit });
    found.push(page.text);
    offset = page.nextOffset;
  }
  return found;
}

describe("reading in pages", () => {
  it.each([1, 2, 3, 5, 64])(
    "pages of %i bytes are the whole text, and none divides a character",
    async (limit) => {
      const text = "Größe 🙂 – 日本語\n";
      await write("notes.md", Buffer.from(text));
      const found = await pages("notes.md", limit);
      expect(found.join("")).toBe(text);
      expect(found.every((page) => !page.includes("\uFFFD"))).toBe(true);
    },
  );

  it("never answers more than 64 KB at once", async () => {
    await write("large.md", Buffer.alloc(200_000, "a"));
    const page = await readPage(store, { runId, name: "large.md", offset: 0, limit: 1_000_000 });
    expect(page).toMatchObject({ nextOffset: 65_536, totalBytes: 200_000 });
  });

  it("gives what is no text as base64", async () => {
    const bytes = Buffer.from([0xff, 0xd8, 0x00, 0x80]);
    await write("photo.jpg", bytes);
    const page = await readPage(store, { runId, name: "photo.jpg", offset: 0, limit: 100 });
    expect(page).toMatchObject({ encoding: "base64", text: bytes.toString("base64"), nextOffset: null });
  });

  it("reads an earlier version where it is asked for, and an offset beyond the end is empty", async () => {
    await write("notes.md", Buffer.from("one"));
    await write("notes.md", Buffer.from("two"));
    const request = { runId, name: "notes.md", offset: 0, limit: 10 };
    expect(await readPage(store, request)).toMatchObject({ text: "two", version: 2 });
    expect(await readPage(store, { ...request, version: 1 })).toMatchObject({ text: "one", version: 1 });
    expect(await readPage(store, { ...request, offset: 99 })).toMatchObject({ text: "", nextOffset: null });
  });

  it("refuses other runs and names that lead out of the run", async () => {
    const request = { runId, name: "notes.md", offset: 0, limit: 10 };
    const other = `run_${"0".repeat(26)}`;
    await expect(readPage(store, { ...request, runId: other })).rejects.toMatchObject({ code: "not_found" });
    await expect(readPage(store, { ...request, name: "../x" })).rejects.toMatchObject({
      code: "invalid_input",
    });
    await expect(readPage(store, request)).rejects.toMatchObject({ code: "not_found" });
  });

  it("knows nothing of a run's own book-keeping, as if it were not there", async () => {
    for (const name of [".nova/run.json", ".nova/history/article_guideline.md/00000001.json"])
      await expect(readPage(store, { runId, name, offset: 0, limit: 10 })).rejects.toMatchObject({
        code: "not_found",
      });
  });
});
