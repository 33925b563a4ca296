import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { indexRuns, listRunIds, pageOfRuns } from "./list-runs.ts";

let folder: TempFolder;
let store: ObjectStore;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
});

afterEach(() => folder.close());

async function createRuns(...tenants: string[]): Promise<string[]> {
  const ids = [];
  for (const tenant of tenants) ids.push(await createTestRun(store, { tenant }));
  return ids.sort().reverse();
}

describe("the list of runs", () => {
  it("is one tenant's or everybody's", async () => {
    await createRuns("a", "b", "a");
    const [ofA, ofB] = [await listRunIds(store, { tenant: "a" }), await listRunIds(store, { tenant: "b" })];
    expect([ofA.length, ofB.length]).toEqual([2, 1]);
    expect(await listRunIds(store, {})).toEqual([...ofA, ...ofB].sort().reverse());
    expect(await listRunIds(store, { tenant: "c" })).toEqual([]);
  });

  it("comes in pages, newest first, each run once, though runs are made and removed meanwhile", async () => {
    const ids = await createRuns("a", "a", "a", "a", "a");
    const first = await pageOfRuns(store, { tenant: "a", limit: 2 });
    expect(first.runs.map(({ run_id }) => run_id)).toEqual(ids.slice(0, 2));
    await createRuns("a");
    await store.delete(`runs/${ids[2]}/.nova/run.json`);
    const second = await pageOfRuns(store, { tenant: "a", limit: 2, before: first.next ?? "" });
    expect(second.runs.map(({ run_id }) => run_id)).toEqual([ids[3]]);
    const third = await pageOfRuns(store, { tenant: "a", limit: 2, before: second.next ?? "" });
    expect(third).toMatchObject({ runs: [{ run_id: ids[4] }], next: null });
  });

  it("leaves a run out whose records are damaged, and says which", async () => {
    const [whole, damaged] = await createRuns("a", "a");
    await store.delete(`runs/${damaged}/.nova/run.json`);
    await store.create(`runs/${damaged}/.nova/run.json`, "{");
    const page = await pageOfRuns(store, {});
    expect(page.runs.map(({ run_id }) => run_id)).toEqual([whole]);
    expect(page.unreadable).toEqual([damaged]);
  });

  it("finds the runs of a store that was filled before there were marks, once they are indexed", async () => {
    const ids = await createRuns("default", "default");
    for (const id of ids) await store.delete(`tenants/default/runs/${id}`);
    expect(await listRunIds(store, { tenant: "default" })).toEqual([]);
    await indexRuns(store);
    expect(await listRunIds(store, { tenant: "default" })).toEqual(ids);
    await indexRuns(store);
  });

  it("is made though one of the runs is damaged, and tells of that one", async () => {
    const [whole = "", damaged = ""] = await createRuns("a", "a");
    for (const id of [whole, damaged]) await store.delete(`tenants/a/runs/${id}`);
    await store.delete(`runs/${damaged}/.nova/run.json`);
    await store.create(`runs/${damaged}/.nova/run.json`, "{");
    await indexRuns(store);
    expect(await listRunIds(store, { tenant: "a" })).toEqual([whole]);
    expect((await pageOfRuns(store, {})).unreadable).toEqual([damaged]);
  });

  it("leaves every name to tenants that they may have", async () => {
    await indexRuns(store);
    const [id] = await createRuns("indexed");
    expect(await listRunIds(store, { tenant: "indexed" })).toEqual([id]);
  });
});
