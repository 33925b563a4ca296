import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cancellationOf } from "../cancelled.ts";
import { openLedger } from "../ledger.ts";
import { removeRun } from "./remove-run.ts";

const step = { stepId: "verify_citations", generation: 1 };

let folder: TempFolder;
let store: ObjectStore;
let runId: string;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  runId = await createTestRun(store);
  await openLedger(store, runId).open("start");
  const at = new Date().toISOString();
  await openLedger(store, runId).close({ n: 1, status: "cancelled", at, reasons: [] });
});

afterEach(() => folder.close());

const keys = async () => (await Array.fromAsync(store.list(""))).map(({ key }) => key);

it("a run is cancelled for whoever asks at any moment of its removal, and afterwards", async () => {
  const known = openLedger(store, runId);
  expect(await cancellationOf(known, step)).not.toBeNull();
  const asked: boolean[] = [];
  const watched: ObjectStore = {
    ...store,
    async delete(key, options) {
      await store.delete(key, options);
      for (const ledger of [known, openLedger(store, runId)])
        asked.push((await cancellationOf(ledger, step)) !== null);
    },
  };
  await removeRun(watched, { tenant: "default", runId });
  expect(asked.length).toBeGreaterThan(8);
  expect(asked).not.toContain(false);
  expect(await keys()).toEqual([]);
});

it("what a worker wrote while its run was removed goes as well", async () => {
  let late = true;
  const busy: ObjectStore = {
    ...store,
    async *list(prefix, options) {
      yield* store.list(prefix, options);
      const isGone = (await store.head(`runs/${runId}/.nova/run.json`)) === null;
      if (!isGone || !late) return;
      late = false;
      await store.create(`runs/${runId}/late.md`, "late");
    },
  };
  await removeRun(busy, { tenant: "default", runId });
  expect(late).toBe(false);
  expect(await keys()).toEqual([]);
});
