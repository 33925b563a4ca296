import { createFsStore, type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fence } from "./fence.ts";
import { openLedger } from "./ledger.ts";

let folder: TempFolder;
let store: ObjectStore;
let asked: string[];

beforeEach(async () => {
  folder = await makeTempFolder();
  const plain = createFsStore({ root: folder.path });
  asked = [];
  store = {
    ...plain,
    get(key, options) {
      asked.push(`get ${key}`);
      return plain.get(key, options);
    },
    head(key, options) {
      asked.push(`head ${key}`);
      return plain.head(key, options);
    },
    list(prefix, options) {
      asked.push(`list ${prefix}`);
      return plain.list(prefix, options);
    },
  };
});

afterEach(() => folder.close());

/** What one more artifact costs in questions to the store, with a fence and without. */
async function questionsPerArtifact(runId: string, fenced: boolean): Promise<string[]> {
  const step = { stepId: "ingest_document-0123456789abcdef", generation: 1, parent: "process_local_files" };
  const used = fenced ? fence(store, openLedger(store, runId), step) : store;
  const artifacts = openRunArtifacts(used, runId);
  const write = (n: number) =>
    artifacts.write(`.nova/sources/${fenced}${n}.json`, Buffer.from(`${n}`), {
      author: "ingest_document-0123456789abcdef.g1",
    });
  await write(1);
  asked = [];
  await write(2);
  return [...asked];
}

describe("the fence around an execution", () => {
  it.each([0, 1, 3])(
    "asks five small questions with each artifact, and lists nothing, in a run of %i epochs",
    async (epochs) => {
      const runId = await createTestRun(store);
      for (let n = 1; n <= epochs; n += 1) {
        await openLedger(store, runId).open("resume");
        const at = new Date(0).toISOString();
        if (n < epochs) await openLedger(store, runId).close({ n, status: "failed", at, reasons: [] });
      }
      const plain = await questionsPerArtifact(runId, false);
      const more = await questionsPerArtifact(runId, true);
      expect(more.length - plain.length).toBe(5);
      const lists = (questions: string[]) =>
        questions.filter((question) => question.startsWith("list")).length;
      expect(lists(more)).toBe(lists(plain));
    },
  );
});
