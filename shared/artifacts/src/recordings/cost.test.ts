import { ProofroomError } from "@proofroom/contracts";
import { makeTempFolder, recordCalls, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFsStore } from "../fs/fs-store.ts";
import type { ObjectStore } from "../store.ts";
import { costOfRun } from "./cost.ts";
import { recordingKey, recordingsOf } from "./recording.ts";
import { createTallies } from "./tallies.ts";

const runId = "run_01ARZ3NDEKTSV4RRFFQ69G5FAV";
let folder: TempFolder;
let store: ObjectStore;
let reads: number;

beforeEach(async () => {
  folder = await makeTempFolder();
  reads = 0;
  const plain = createFsStore({ root: folder.path });
  store = {
    ...plain,
    get(key, options) {
      reads += 1;
      return plain.get(key, options);
    },
  };
});

afterEach(() => folder.close());

describe("what a run has cost", () => {
  it("is what its calls took, and of what no price is known is told apart", async () => {
    const cost = await recordCalls(store, runId);
    expect(await costOfRun(store, runId)).toEqual(cost);
  });

  it("is nothing to tell where nobody was asked", async () => {
    expect(await costOfRun(store, runId)).toBeNull();
  });

  it("is shown without a recording of a later version, for which a budget fails", async () => {
    const cost = await recordCalls(store, runId);
    const later = JSON.stringify({ v: 1, kind: "image", cost: 1 });
    await store.create(recordingKey(runId, "later"), Buffer.from(later));
    expect(await costOfRun(store, runId)).toEqual(cost);
    await expect(createTallies().of(store, runId)).rejects.toThrow();
  });

  it("fails where the store does", async () => {
    await recordCalls(store, runId);
    const away = new ProofroomError({ code: "dependency_down", message: "Away." });
    store.get = () => Promise.reject(away);
    await expect(costOfRun(store, runId)).rejects.toBe(away);
  });

  it("holds no sums of binary fractions", async () => {
    await recordCalls(store, runId);
    const [search] = (await Array.fromAsync(recordingsOf(store, runId))).filter(({ cost }) => cost === 0.016);
    for (const n of [1, 2, 3])
      await store.create(recordingKey(runId, `search-${n}`), JSON.stringify({ ...search, cost: 0.1 }));
    expect((await costOfRun(store, runId))?.usd).toBe(0.566);
  });

  it("is asked for again and again without reading a call twice, and is gone with the run", async () => {
    const tallies = createTallies();
    const cost = await recordCalls(store, runId);
    for (const _time of [1, 2, 3]) expect(await costOfRun(store, runId, tallies)).toEqual(cost);
    expect(reads).toBe(4);
    for await (const { key } of store.list(`runs/${runId}/`)) await store.delete(key);
    expect(await costOfRun(store, runId, tallies)).toBeNull();
  });
});
