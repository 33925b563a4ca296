import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openImportFolder, shown } from "./import-folder.ts";

let base: string;
let root: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "proofroom-import-"));
  root = join(base, "folder");
  await mkdir(join(root, "in"), { recursive: true });
  await writeFile(join(base, "secret.md"), "secret");
  await writeFile(join(root, "in", "a.md"), "a");
});

afterEach(() => rm(base, { recursive: true, force: true }));

it("reads files, and nothing where there is none", async () => {
  const folder = await openImportFolder(root);
  expect(Buffer.from((await folder.read("in/a.md")) ?? []).toString()).toBe("a");
  expect(await folder.read("in/b.md")).toBeNull();
  expect(await folder.names("in")).toEqual(["a.md"]);
  expect(await folder.names("none")).toEqual([]);
});

it("follows no link out of the folder, neither of a file nor of a folder", async () => {
  await symlink(join(base, "secret.md"), join(root, "in", "link.md"));
  await symlink(base, join(root, "out"));
  await symlink("a.md", join(root, "in", "inner.md"));
  const folder = await openImportFolder(root);
  for (const path of ["in/link.md", "out/secret.md", "../secret.md"])
    await expect(folder.read(path)).rejects.toMatchObject({ code: "invalid_input" });
  await expect(folder.names("out")).rejects.toMatchObject({ code: "invalid_input" });
  expect(Buffer.from((await folder.read("in/inner.md")) ?? []).toString()).toBe("a");
});

it("reads no file that is huge, and nothing that is no file", async () => {
  await writeFile(join(root, "huge.md"), "");
  await truncate(join(root, "huge.md"), 32 * 1024 * 1024 + 1);
  execFileSync("mkfifo", [join(root, "pipe.md")]);
  const folder = await openImportFolder(root);
  await expect(folder.read("huge.md")).rejects.toMatchObject({ code: "too_large" });
  await expect(folder.read("pipe.md")).rejects.toMatchObject({ code: "invalid_input" });
  await expect(folder.read("in")).rejects.toMatchObject({ code: "invalid_input" });
});

it("opens folders only", async () => {
  await expect(openImportFolder(join(root, "none"))).rejects.toMatchObject({ code: "not_found" });
  await expect(openImportFolder(join(root, "in", "a.md"))).rejects.toMatchObject({ code: "invalid_input" });
});

it("shows a hostile name on one line", () => {
  expect(shown("a\nb\u202ec\u0007.md")).toBe("a_b_c_.md");
});
