import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { isProofroomError, ProofroomError } from "@proofroom/contracts";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLedger } from "./ledger.ts";
import { createTenantStores, type TenantStores } from "./tenants.ts";

const nobodys = `run_${"0".repeat(26)}`;

let folder: TempFolder;
let store: ObjectStore;
let tenants: TenantStores;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  tenants = createTenantStores(store);
});

afterEach(() => folder.close());

/** What a view answers about a run, whatever is asked of it, with the run's id taken out. */
async function answersAbout(view: ObjectStore, runId: string): Promise<string[]> {
  const keys = [
    `runs/${runId}/article_guideline.md`,
    `runs/${runId}/.nova/run.json`,
    `runs/${runId}/new.md`,
    `moving/${runId}/000001.json`,
    `tenants/b/runs/${runId}`,
  ];
  const questions = keys.flatMap((key) => [
    () => view.get(key).then(({ info }) => info.key),
    () => view.head(key).then(JSON.stringify),
    () =>
      Array.fromAsync(view.list(`${key.slice(0, key.lastIndexOf("/"))}/`)).then((found) =>
        String(found.length),
      ),
    () => view.replace(key, "x", "1").then(() => "replaced"),
    () => view.delete(key).then(() => "deleted"),
  ]);
  const answers = [];
  for (const ask of questions) {
    answers.push(
      await ask().catch((error: unknown) =>
        isProofroomError(error) ? `${error.code}: ${error.message}` : "?",
      ),
    );
  }
  return answers.map((answer) => answer.replaceAll(runId, "RUN"));
}

describe("the store as a tenant sees it", () => {
  it("answers of another's run what it answers of none, and leaves it alone", async () => {
    const runId = await createTestRun(store, { tenant: "b" });
    await openLedger(store, runId).open("start");
    const before = await Array.fromAsync(store.list(""));
    const view = tenants.of("a");
    expect(await answersAbout(view, runId)).toEqual(await answersAbout(view, nobodys));
    await expect(view.create(`runs/${runId}/new.md`, "x")).rejects.toMatchObject({ code: "not_found" });
    await expect(view.create(`tenants/a/runs/${runId}`, "")).resolves.toBeDefined();
    await expect(view.head(`runs/${runId}/.nova/run.json`)).resolves.toBeNull();
    await view.delete(`tenants/a/runs/${runId}`);
    expect(await Array.fromAsync(store.list(""))).toEqual(before);
  });

  it("does not hold a run that another is making, whatever mark is laid for it", async () => {
    const other = createTenantStores(store).of("b");
    await other.create(`tenants/b/runs/${nobodys}`, "");
    await other.create(`runs/${nobodys}/article_guideline.md`, "theirs");
    const view = tenants.of("a");
    await view.create(`tenants/a/runs/${nobodys}`, "");
    await expect(view.get(`runs/${nobodys}/article_guideline.md`)).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(view.create(`runs/${nobodys}/.nova/run.json`, "{}")).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("holds a run in its making however many others are looked at meanwhile", async () => {
    const gone = Promise.reject(new ProofroomError({ code: "not_found", message: "no" }));
    gone.catch(() => undefined);
    const info = { key: "", size: 0, etag: "", modified: new Date(0) };
    const empty: ObjectStore = { ...store, get: () => gone, create: async () => info, async *list() {} };
    const view = createTenantStores(empty).of("a");
    await view.create(`tenants/a/runs/${nobodys}`, "");
    for (const round of [1, 2]) {
      await expect(view.create(`runs/${nobodys}/${round}.md`, "x")).resolves.toBe(info);
      for (let n = 0; n < 6_000; n += 1) {
        await view.create(`tenants/a/runs/run_${round}${String(n).padStart(25, "0")}`, "");
      }
    }
    await expect(view.create(`runs/${nobodys}/3.md`, "x")).resolves.toBe(info);
  });

  it("passes on the signal of whoever asks", async () => {
    const runId = await createTestRun(store, { tenant: "a" });
    const signal = AbortSignal.abort();
    await expect(
      tenants.of("a").head(`runs/${runId}/article_guideline.md`, { signal }),
    ).rejects.toMatchObject({
      code: "cancelled",
    });
  });

  it("makes links to what it shows and to nothing else, where the store makes any", async () => {
    const runId = await createTestRun(store, { tenant: "a" });
    const presign = async (key: string) => ({ url: `https://store.example/${key}`, expires: new Date(0) });
    const linking = createTenantStores({ ...store, presign });
    const key = `runs/${runId}/article_guideline.md`;
    const options = { seconds: 60, mediaType: "text/markdown", name: "g.md" };
    expect(await linking.of("a").presign?.(key, options)).toMatchObject({
      url: `https://store.example/${key}`,
    });
    await expect(linking.of("b").presign?.(key, options)).rejects.toMatchObject({ code: "not_found" });
    expect(tenants.of("a").presign).toBeUndefined();
  });

  it("holds all of its own runs, from their making on", async () => {
    const view = tenants.of("a");
    const runId = await createTestRun(view, { tenant: "a" });
    const ledger = openLedger(view, runId);
    await ledger.open("start");
    expect((await ledger.load()).manifest).toMatchObject({ run_id: runId, tenant: "a" });
    const again = createTenantStores(store).of("a");
    expect((await Array.fromAsync(again.list(`runs/${runId}/`))).length).toBeGreaterThan(2);
    await again.delete(`runs/${runId}/article_guideline.md`);
    expect(await store.head(`runs/${runId}/article_guideline.md`)).toBeNull();
  });

  it("shows what is nobody's to none, and no list that spans tenants", async () => {
    await createTestRun(store, { tenant: "b" });
    await store.create("elsewhere/x", "x");
    const view = tenants.of("a");
    for (const prefix of ["", "runs/", "runs", "tenants/", "tenants/b/", "moving/", "elsewhere/"]) {
      expect(await Array.fromAsync(view.list(prefix))).toEqual([]);
    }
    expect(await view.head("elsewhere/x")).toBeNull();
    await expect(view.get("elsewhere/x")).rejects.toMatchObject({ code: "not_found" });
  });

  it.each(["../b/x", "runs/../runs/x", "a\0b"])("does not let the key %j out of it", async (key) => {
    await expect(tenants.of("a").get(`tenants/a/${key}`)).rejects.toThrow();
  });

  it("holds the runs of before there were tenants for the default one", async () => {
    const runId = await createTestRun(store);
    const at = `runs/${runId}/.nova/run.json`;
    const { tenant: _none, ...old } = await openLedger(store, runId).manifest();
    await store.delete(at);
    await store.create(at, JSON.stringify(old));
    expect(await tenants.of("default").head(at)).not.toBeNull();
    expect(await tenants.of("a").head(at)).toBeNull();
  });

  it("reads whose a run is once for all that a request asks for at once, and again after one that gave up", async () => {
    const runId = await createTestRun(store, { tenant: "a" });
    let reads = 0;
    const counting: ObjectStore = {
      ...store,
      get: async (key, options) => {
        reads += key.endsWith("run.json") ? 1 : 0;
        options?.signal?.throwIfAborted();
        return store.get(key, options);
      },
    };
    const view = createTenantStores(counting).of("a");
    const key = `runs/${runId}/article_guideline.md`;
    const gaveUp = expect(view.head(key, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(await view.head(key)).not.toBeNull();
    await gaveUp;
    reads = 0;
    const fresh = createTenantStores(counting).of("a");
    expect((await Promise.all([fresh.head(key), fresh.head(key), fresh.head(key)])).every(Boolean)).toBe(
      true,
    );
    expect(reads).toBe(1);
  });
});
