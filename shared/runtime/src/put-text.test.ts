import { createFsStore, type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { artifact, type NewRunEvent, ProofroomError, sectionArtifact } from "@proofroom/contracts";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type PutText, putText, textLimit } from "./put-text.ts";

const runId = "run_01J00000000000000000000001";
let folder: TempFolder;
let store: ObjectStore;
let told: (string | undefined)[];

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  told = [];
});

afterEach(() => folder.close());

function put(name: string, text: string, assertOver?: PutText["assertOver"], into = store) {
  const events = { publish: ({ artifact: of }: NewRunEvent) => void told.push(of) };
  return putText({ store: into, events }, { runId, name, text, author: "person", assertOver });
}

function byStep(name: string, text: string) {
  return openRunArtifacts(store, runId).write(name, Buffer.from(text), { author: "x.g1" });
}

function outlineOf(...ids: string[]): string {
  const sections = ids.map((section_id) => ({
    section_id,
    title: section_id,
    key_points: [],
    target_word_count: 100,
    include_code: false,
    citations_to_reference: [],
  }));
  const about = { title: "t", subtitle: "", target_audience: "", estimated_read_time_minutes: 1 };
  return JSON.stringify({ ...about, sections });
}

it.each([
  ["says nothing", " \n\t", { code: "invalid_input", message: "The text is empty." }],
  ["is no Unicode", "a\ud800", { code: "invalid_input" }],
  ["is too large", "ü".repeat(textLimit / 2 + 1), { code: "too_large" }],
])("a text that %s is refused, and nothing is kept", async (_what, text, error) => {
  await expect(put(artifact.article, text)).rejects.toMatchObject(error);
  expect(await openRunArtifacts(store, runId).latest(artifact.article)).toBeNull();
  expect(told).toEqual([]);
});

it("a section must be one of the outline's, once there is an outline that can be read", async () => {
  await put(sectionArtifact("early"), "text");
  await byStep(artifact.outline, "[]");
  await put(sectionArtifact("other"), "text");
  await byStep(artifact.outline, outlineOf("intro", "end"));
  await expect(put(sectionArtifact("middle"), "text")).rejects.toMatchObject({
    code: "invalid_input",
    remedy: "Its sections are intro, end.",
  });
  await put(sectionArtifact("end"), "text");
  await put(artifact.article, "text");
  expect(told).toEqual(["early", "other", "end"].map(sectionArtifact).concat(artifact.article));
});

it("what stood there already is no further version, and nobody is told of it", async () => {
  expect(await put(artifact.article, "# A\n")).toMatchObject({ n: 1, author: "person" });
  expect(await put(artifact.article, "# A\n")).toMatchObject({ n: 1 });
  expect(await put(artifact.article, "# B\n")).toMatchObject({ n: 2 });
  expect(told).toEqual([artifact.article, artifact.article]);
});

it("what it may stand over is asked again of a version that comes between", async () => {
  await put(artifact.article, "one");
  let isFirst = true;
  const racing: ObjectStore = {
    ...store,
    async create(key, body, options) {
      if (isFirst && key.endsWith("/article.md/000002.json")) {
        isFirst = false;
        await byStep(artifact.article, "two");
      }
      return store.create(key, body, options);
    },
  };
  const asked: (number | undefined)[] = [];
  const late = put(
    artifact.article,
    "three",
    (newest) => {
      asked.push(newest?.n);
      if (asked.length > 1) throw new ProofroomError({ code: "conflict", message: "overtaken" });
    },
    racing,
  );
  await expect(late).rejects.toThrow("overtaken");
  expect(asked).toEqual([1, 2]);
});
