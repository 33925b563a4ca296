import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { ownedKey, removeRun } from "@proofroom/runtime/records";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Claim, createOnce, type OnceOptions } from "./create-once.ts";

const tenant = "default";
const ids = ["run_01J00000000000000000000001", "run_01J00000000000000000000002"] as const;
const now = () => new Date(0);
let folder: TempFolder;
let store: ObjectStore;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
});

afterEach(() => folder.close());

type Create = (claim: Claim) => Promise<string>;

function once(create: Create, { id = "a", ...options }: Partial<OnceOptions> & { id?: string } = {}) {
  const { signal } = new AbortController();
  const usual = { store, now, caller: { tenant, id }, key: "k", request: "r", signal, patienceMs: 0 };
  return createOnce({ ...usual, ...options }, create);
}

/** Makes the run as far as it goes; `claimed` is told when it has reserved the key, and may hold it up or end it there. */
function make(id: string, claimed: () => Promise<void> = async () => undefined): Create {
  return async (claim) => {
    await store.create(ownedKey(tenant, id), "");
    await claim(id).catch(async (error: unknown) => {
      await removeRun(store, { tenant, runId: id });
      throw error;
    });
    await claimed();
    await store.create(`runs/${id}/.nova/run.json`, "{}");
    return id;
  };
}

const die = () => Promise.reject(new Error("killed"));

async function runsThere(): Promise<string[]> {
  const marks = await Array.fromAsync(store.list(ownedKey(tenant, "")));
  return marks.map(({ key }) => key.slice(ownedKey(tenant, "").length));
}

describe("a key", () => {
  it("of a request that was killed is taken over by the next", async () => {
    await expect(once(make(ids[0], die))).rejects.toThrow("killed");
    expect(await once(make(ids[1]))).toEqual({ runId: ids[1], replayed: false });
    expect(await once(make(ids[0]))).toEqual({ runId: ids[1], replayed: true });
  });

  it("of a request that was killed when its run was there makes no other", async () => {
    let isKilled = false;
    const dying: ObjectStore = {
      ...store,
      async replace(...record) {
        if (isKilled) return store.replace(...record);
        isKilled = true;
        return die();
      },
    };
    await expect(once(make(ids[0]), { store: dying })).rejects.toThrow("killed");
    expect(await once(make(ids[1]))).toEqual({ runId: ids[0], replayed: true });
    expect(await runsThere()).toEqual([ids[0]]);
  });

  it("that was taken over from a request that was only slow has it answer the other's run, and leave none", async () => {
    const [claimed, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = once(
      make(ids[0], () => {
        claimed.resolve();
        return goesOn.promise;
      }),
    );
    await claimed.promise;
    expect(await once(make(ids[1]))).toEqual({ runId: ids[1], replayed: false });
    goesOn.resolve();
    expect(await slow).toEqual({ runId: ids[1], replayed: true });
    expect(await runsThere()).toEqual([ids[1]]);
  });

  it("waits for the run of a request that is under way", async () => {
    const [claimed, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = once(
      make(ids[0], () => {
        claimed.resolve();
        return goesOn.promise;
      }),
    );
    await claimed.promise;
    const waiting = once(make(ids[1]), { patienceMs: 60_000 });
    goesOn.resolve();
    expect(await first).toEqual({ runId: ids[0], replayed: false });
    expect(await waiting).toEqual({ runId: ids[0], replayed: true });
    expect(await runsThere()).toEqual([ids[0]]);
  });

  it("of a request under way is told when to ask again where the wait is ended", async () => {
    await expect(once(make(ids[0], die))).rejects.toThrow("killed");
    const ended = once(make(ids[1]), { patienceMs: 60_000, signal: AbortSignal.abort() });
    await expect(ended).rejects.toMatchObject({ options: { status: 409, headers: { "retry-after": "1" } } });
  });

  it("of a run that was removed makes another at once", async () => {
    await once(make(ids[0]));
    await removeRun(store, { tenant, runId: ids[0] });
    const again = await once(make(ids[1]), { patienceMs: 60_000 });
    expect(again).toEqual({ runId: ids[1], replayed: false });
  });

  it("is for one request", async () => {
    await once(make(ids[0]));
    const other = once(make(ids[1]), { request: "other" });
    await expect(other).rejects.toMatchObject({ options: { status: 422, code: "idempotency_key_reused" } });
  });

  it("is each user's own", async () => {
    expect(await once(make(ids[0]), { id: "a" })).toEqual({ runId: ids[0], replayed: false });
    expect(await once(make(ids[1]), { id: "b" })).toEqual({ runId: ids[1], replayed: false });
  });
});
