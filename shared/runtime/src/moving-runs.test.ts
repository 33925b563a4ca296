import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLedger } from "./ledger.ts";
import { listMovingRuns } from "./moving-runs.ts";

let folder: TempFolder;
let store: ObjectStore;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
});

afterEach(() => folder.close());

const newRun = () => createTestRun(store);

const end = (runId: string, n: number) =>
  openLedger(store, runId).close({ n, status: "cancelled", at: new Date().toISOString(), reasons: [] });

async function moving(): Promise<string[]> {
  const found: string[] = [];
  for await (const runId of listMovingRuns(store)) found.push(runId);
  return found;
}

describe("the runs that move", () => {
  it("are those that were set in motion and have not ended", async () => {
    const [created, started, ended] = [await newRun(), await newRun(), await newRun()];
    await openLedger(store, started).open("start");
    await openLedger(store, ended).open("start");
    await end(ended, 1);
    expect(await moving()).toEqual([started]);
    expect(await moving()).not.toContain(created);
  });

  it("are found again when they are resumed, even while the end of their last epoch is cleared away", async () => {
    const runId = await newRun();
    const ledger = openLedger(store, runId);
    await ledger.open("start");
    await end(runId, 1);
    await openLedger(store, runId).open("resume");
    expect(await moving()).toEqual([runId]);
    expect(await moving()).toEqual([runId]);
    await end(runId, 2);
    expect(await moving()).toEqual([]);
  });

  it("are looked up without a look at the runs that have ended", async () => {
    for (let n = 0; n < 5; n += 1) {
      const runId = await newRun();
      await openLedger(store, runId).open("start");
      await end(runId, 1);
    }
    await moving();
    const asked: string[] = [];
    const watched: ObjectStore = {
      ...store,
      head(key, options) {
        asked.push(key);
        return store.head(key, options);
      },
      list(prefix, options) {
        asked.push(prefix);
        return store.list(prefix, options);
      },
    };
    for await (const _runId of listMovingRuns(watched)) asked.push("a run");
    expect(asked).toEqual(["moving/"]);
  });

  it("do not hold one whose folder was removed", async () => {
    const runId = await newRun();
    await openLedger(store, runId).open("start");
    const keys: string[] = [];
    for await (const { key } of store.list(`runs/${runId}/`)) keys.push(key);
    for (const key of keys) await store.delete(key);
    expect(await moving()).toEqual([]);
  });
});
