import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reachableFile } from "./reachable-copy.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "proofroom-reach-"));
  await chmod(folder, 0o755);
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("a file that everyone can read is used where it is", async () => {
  const path = join(folder, "program");
  await writeFile(path, "x");
  await chmod(path, 0o755);
  const reachable = await reachableFile(path);
  expect(reachable.path).toBe(path);
  await reachable.close();
  expect(await readFile(path, "utf8")).toBe("x");
});

test("a file in a private folder is copied, and the copy removed on closing", async () => {
  await mkdir(join(folder, "private"), { mode: 0o700 });
  const path = join(folder, "private", "program");
  await writeFile(path, "x", { mode: 0o755 });
  const reachable = await reachableFile(path);
  expect(reachable.path).not.toBe(path);
  expect(await readFile(reachable.path, "utf8")).toBe("x");
  expect((await stat(reachable.path)).mode & 0o777).toBe(0o755);
  await reachable.close();
  await expect(stat(reachable.path)).rejects.toThrow("ENOENT");
});
