import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { ownedKey } from "@proofroom/runtime/records";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Claim, createOnce } from "./create-once.ts";
import { removeRun } from "./remove-run.ts";

const ids = ["run_01J00000000000000000000001", "run_01J00000000000000000000002"] as const;
let folder: TempFolder;
let store: ObjectStore;
let at: number;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  at = Date.UTC(2026, 0, 1);
});

afterEach(() => folder.close());

function once(id: string, create: (claim: Claim) => Promise<string>) {
  const signal = new AbortController().signal;
  return createOnce(
    { store, now: () => new Date(at), caller: { tenant: "default", id }, key: "k", request: "r", signal },
    create,
  );
}

/** Makes the run as far as it goes: a request that dies has claimed the key and written no manifest. */
function make(id: string, died = false) {
  return async (claim: Claim): Promise<string> => {
    await store.create(ownedKey("default", id), "");
    await claim(id);
    if (died) throw new Error("killed");
    await store.create(`runs/${id}/.nova/run.json`, "{}");
    return id;
  };
}

describe("a key", () => {
  it("that a dead process left behind is taken over, and by then only", async () => {
    await expect(once("a", make(ids[0], true))).rejects.toThrow("killed");
    at += 30_000;
    expect(await once("a", make(ids[1]))).toEqual({ runId: ids[1], replayed: false });
    expect(await once("a", make(ids[0]))).toEqual({ runId: ids[1], replayed: true });
  });

  it("waits for the run of a request that is under way", async () => {
    await expect(once("a", make(ids[0], true))).rejects.toThrow("killed");
    const waiting = once("a", make(ids[1]));
    await store.create(`runs/${ids[0]}/.nova/run.json`, "{}");
    expect(await waiting).toEqual({ runId: ids[0], replayed: true });
  });

  it("of a run that was removed makes another at once", async () => {
    await once("a", make(ids[0]));
    await removeRun(store, { tenant: "default", runId: ids[0] });
    expect(await once("a", make(ids[1]))).toEqual({ runId: ids[1], replayed: false });
  });

  it("is each user's own", async () => {
    expect(await once("a", make(ids[0]))).toEqual({ runId: ids[0], replayed: false });
    expect(await once("b", make(ids[1]))).toEqual({ runId: ids[1], replayed: false });
  });
});
