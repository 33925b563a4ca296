import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createFsStore } from "./fs/fs-store.ts";
import { openRunArtifacts } from "./run-artifacts.ts";
import type { ObjectStore } from "./store.ts";
import { runArtifactsSuite } from "./testing/run-artifacts-suite.ts";

let folder: TempFolder;
let store: ObjectStore;
let runs = 0;
function nextRun(): string {
  runs += 1;
  return `run_${runs}`;
}

beforeAll(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
});
afterAll(() => folder.close());

runArtifactsSuite(() => store, { nextRun, races: true });

it("adopts what an editor wrote into the folder itself", async () => {
  const runId = nextRun();
  const artifacts = openRunArtifacts(store, runId);
  await artifacts.write("article.md", Buffer.from("machine"), { author: "x.g1" });
  await writeFile(join(folder.path, "runs", runId, "article.md"), "by hand, with an editor");
  expect(await artifacts.adoptEdits()).toEqual(["article.md"]);
  expect(await artifacts.latest("article.md")).toMatchObject({ n: 2, author: "person", size: 23 });
});

/** The store, counting what is asked of it. */
function counting(inner: ObjectStore): { store: ObjectStore; asked: Record<string, number> } {
  const asked: Record<string, number> = {};
  function counted<Args extends unknown[], Answer>(what: string, method: (...args: Args) => Answer) {
    return (...args: Args): Answer => {
      asked[what] = (asked[what] ?? 0) + 1;
      return method(...args);
    };
  }
  const store: ObjectStore = {
    ...inner,
    create: counted("create", inner.create),
    replace: counted("replace", inner.replace),
    get: counted("get", inner.get),
    head: counted("head", inner.head),
    list: counted("list", inner.list),
  };
  return { store, asked };
}

it("lists a history once only, however often it is read and written", async () => {
  const { store: counted, asked } = counting(store);
  const artifacts = openRunArtifacts(counted, nextRun());
  for (let n = 1; n <= 5; n += 1) {
    await artifacts.write("a.md", Buffer.from(`text ${n}`), { author: "x.g1" });
    expect((await artifacts.latest("a.md"))?.n).toBe(n);
  }
  expect(asked["list"]).toBe(1);
});

it("looks through unchanged artifacts without writing anything", async () => {
  const runId = nextRun();
  for (const name of ["a.md", "b.md", "c.md"]) {
    await openRunArtifacts(store, runId).write(name, Buffer.from(name), { author: "x.g1" });
  }
  const { store: counted, asked } = counting(store);
  expect(await openRunArtifacts(counted, runId).adoptEdits()).toEqual([]);
  // Of each: the visible file, the pointer, and whether a further one has come.
  expect(asked).toEqual({ list: 1, get: 9 });
});
