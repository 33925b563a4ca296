import { mkdir, readdir } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openTempRoot } from "./temp-root.ts";

let home: TempFolder;

beforeEach(async () => {
  home = await makeTempFolder();
});

afterEach(() => home.close());

it("a process removes what the dead of its own host have left, and nothing of the living or of other hosts", async () => {
  // No process has this id: it is above what systems give.
  const dead = 2 ** 30;
  const own = `${hostname()}-${process.pid}-${Math.round(performance.timeOrigin)}`;
  const ofBefore = `${hostname()}-${process.pid}-1`;
  const parent = `${hostname()}-${process.ppid}-1`;
  for (const name of [`${hostname()}-${dead}-1`, ofBefore, parent, `other-${dead}-1`, "notes"])
    await mkdir(join(home.path, "tmp", name), { recursive: true });
  const { path, close } = await openTempRoot(home.path);
  expect(path).toBe(join(home.path, "tmp", own));
  expect((await readdir(join(home.path, "tmp"))).sort()).toEqual(
    [own, parent, "notes", `other-${dead}-1`].sort(),
  );
  await close();
  expect(await readdir(join(home.path, "tmp"))).not.toContain(own);
});
