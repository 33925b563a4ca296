import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { listRunIds, openLedger, ownedKey } from "@proofroom/runtime/records";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { commandContext } from "../testing/command-context.ts";
import { removeCommand } from "./remove.ts";

let folder: TempFolder;
let store: ObjectStore;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
});

afterEach(() => folder.close());

const contextOf = (json = false) =>
  commandContext({ folder: folder.path, store, json, env: { PROOFROOM_HOME: folder.path } });

async function removeWith(force: boolean, ids: readonly string[]) {
  const { context, stdout } = contextOf(true);
  const code = await removeCommand(context, { ids, force });
  return { code, ...JSON.parse(stdout()) };
}

const remove = (...ids: string[]) => removeWith(false, ids);

it("what is removed is gone from the list and from the disk, and the others stay", async () => {
  const [first, other, second] = [
    await createTestRun(store),
    await createTestRun(store),
    await createTestRun(store),
  ];
  await openLedger(store, first).open("start");
  const at = new Date().toISOString();
  await openLedger(store, first).close({ n: 1, status: "succeeded", at, reasons: [] });
  expect(await remove(first, second, first)).toEqual({ code: 0, removed: [first, second] });
  expect(await listRunIds(store, {})).toEqual([other]);
  expect(await readdir(join(folder.path, "runs"))).toEqual([other]);
  for await (const { key } of store.list("")) expect(key).toContain(other);
});

it("a run that is at work is refused, with the command that removes it all the same, and nothing is removed", async () => {
  const [idle, moving] = [await createTestRun(store), await createTestRun(store)];
  await openLedger(store, moving).open("start");
  await expect(remove(idle, moving)).rejects.toMatchObject({
    code: "conflict",
    remedy: expect.stringContaining(`proofroom remove --force ${moving}`),
  });
  expect(await listRunIds(store, {})).toEqual([moving, idle]);
});

it("a wrong id among them removes none", async () => {
  const there = await createTestRun(store);
  await expect(remove(there, "run_01J8ZZZZZZZZZZZZZZZZZZZZZZ")).rejects.toMatchObject({ code: "not_found" });
  await expect(remove(there, "first")).rejects.toMatchObject({
    code: "invalid_input",
    remedy: expect.stringContaining("proofroom list"),
  });
  expect(await listRunIds(store, {})).toEqual([there]);
});

it("a run whose records are damaged goes with --force, and is no longer listed for its tenant", async () => {
  const damaged = await createTestRun(store, { tenant: "team" });
  await writeFile(join(folder.path, "runs", damaged, ".nova", "run.json"), "{");
  await expect(remove(damaged)).rejects.toMatchObject({
    code: "conflict",
    remedy: expect.stringContaining(`proofroom remove --force ${damaged}`),
  });
  expect(await removeWith(true, [damaged])).toEqual({ code: 0, removed: [damaged] });
  for await (const { key } of store.list("")) expect(key).not.toContain(damaged);
});

it("a run of which a capability that was called alone has not ended is refused, unless the run was cancelled", async () => {
  const runId = await createTestRun(store);
  const ledger = openLedger(store, runId);
  await ledger.requestGeneration("verify_citations", 1, "call");
  await expect(remove(runId)).rejects.toMatchObject({ code: "conflict" });
  await ledger.open("start");
  await ledger.close({ n: 1, status: "cancelled", at: new Date().toISOString(), reasons: [] });
  expect(await remove(runId)).toEqual({ code: 0, removed: [runId] });
});

it.each(["a mark", "what was uploaded", "both"])(
  "of a run without a manifest %s can be removed",
  async (what) => {
    const runId = "run_01J8ZZZZZZZZZZZZZZZZZZZZZZ";
    const other = await createTestRun(store);
    if (what !== "a mark") {
      await store.create(`runs/${runId}/.nova/uploads/a.pdf`, "a");
      await store.create(`moving/${runId}/000001.json`, "");
    }
    if (what !== "what was uploaded") await store.create(ownedKey("team", runId), "");
    expect(await remove(runId)).toEqual({ code: 0, removed: [runId] });
    for await (const { key } of store.list("")) expect(key).toContain(other);
    await expect(remove(runId)).rejects.toMatchObject({ code: "not_found" });
  },
);
