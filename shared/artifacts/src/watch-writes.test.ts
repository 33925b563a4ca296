import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFsStore } from "./fs/fs-store.ts";
import type { ObjectStore } from "./store.ts";
import { type WriteWatch, type WriteWatchOptions, watchWrites } from "./watch-writes.ts";

let folder: TempFolder;
let watch: WriteWatch | undefined;

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(async () => {
  watch?.stop();
  await folder.close();
});

function start(options: WriteWatchOptions = {}, over: Partial<ObjectStore> = {}): WriteWatch {
  const store = { ...createFsStore({ root: join(folder.path, "store") }), ...over };
  watch = watchWrites(store, { everyMs: 10, ...options });
  return watch;
}

describe("whether a store can be written to", () => {
  it("is not known before it was tried, and leaves nothing behind", async () => {
    const { obstacles } = start({ everyMs: 3_600_000 });
    expect(obstacles()).toEqual(["store: not tried yet"]);
    await eventually(() => obstacles().length === 0);
    expect(await readdir(join(folder.path, "store", "probes"))).toEqual([]);
  });

  it("is told again and again: it comes and goes", async () => {
    const store = join(folder.path, "store");
    await writeFile(store, "a file in the way");
    const { obstacles } = start();
    await eventually(() => obstacles()[0] === "store: cannot be written to");
    await rm(store);
    await eventually(() => obstacles().length === 0);
  });

  it("is answered where another process of the same name was killed while it tried", async () => {
    const store = createFsStore({ root: join(folder.path, "store") });
    let key = "";
    const keeping = async (name: string) => {
      key = name;
    };
    const { obstacles, stop } = start({}, { delete: keeping });
    await eventually(() => obstacles().length === 0);
    stop();
    expect(await store.head(key)).not.toBeNull();
    const again = start();
    await eventually(() => again.obstacles().length === 0);
    again.stop();
  });

  it("is no where it does not answer in the time", async () => {
    const { obstacles } = start({ patienceMs: 20 }, { create: () => new Promise(() => undefined) });
    await eventually(() => obstacles()[0] === "store: cannot be written to");
  });
});
