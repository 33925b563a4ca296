import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ObjectStore } from "../store.ts";
import { collect, expectFailure, keysOf, patterned, stalledStream, textOf } from "../testing/bytes.ts";
import { claimState } from "./claims.ts";
import { fromErrno } from "./errors.ts";
import { createFsStore } from "./fs-store.ts";

let folder: TempFolder;
let root: string;
let store: ObjectStore;

beforeEach(async () => {
  folder = await makeTempFolder();
  root = join(folder.path, "store");
  await mkdir(root);
  store = createFsStore({ root });
});
afterEach(() => folder.close());

/** Runs the work as a user whom permissions stop. */
async function asOrdinaryUser(work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

it("does not follow a link, neither to a file nor to a folder", async () => {
  await mkdir(join(folder.path, "outside"));
  await writeFile(join(folder.path, "outside", "secret.txt"), "secret");
  await symlink(join(folder.path, "outside"), join(root, "folder"));
  await symlink(join(folder.path, "outside", "secret.txt"), join(root, "file.txt"));
  await store.create("inside/a.txt", "text");
  await symlink(join(root, "inside"), join(root, "alias"));

  for (const key of ["folder/secret.txt", "folder/new.txt", "alias/a.txt"]) {
    await expectFailure(store.get(key), "invalid_input");
    await expectFailure(store.head(key), "invalid_input");
    await expectFailure(store.create(key, "mine"), "invalid_input");
    await expectFailure(store.replace(key, "mine", "1-1-1"), "invalid_input");
    await expectFailure(store.delete(key), "invalid_input");
  }
  await expectFailure(keysOf(store, "folder/"), "invalid_input");
  expect(await store.head("file.txt")).toBeNull();
  await expectFailure(store.get("file.txt"), "not_found");
  await expectFailure(store.create("file.txt", "mine"), "conflict");
  expect(await keysOf(store, "")).toEqual(["inside/a.txt"]);
  expect(await readdir(join(folder.path, "outside"))).toEqual(["secret.txt"]);
});

it("passes over what lies in the folder and is no object", async () => {
  await store.create("a.txt", "text");
  await writeFile(join(root, "back\\slash"), "x");
  await promisify(execFile)("mkfifo", [join(root, "pipe")]);
  expect(await keysOf(store, "")).toEqual(["a.txt"]);
  await expectFailure(store.get("pipe"), "not_found");
});

it("refuses an object where a folder stands, and a folder where an object stands", async () => {
  await store.create("name", "text");
  await expectFailure(store.create("name/below.txt", "text"), "invalid_input");
  await store.create("tree/leaf.txt", "text");
  await expectFailure(store.create("tree", "text"), "invalid_input");
  expect(await store.head("name/below.txt")).toBeNull();
  await store.delete("name/below.txt");
});

it("reads the state that it opened to its end, though the object is replaced meanwhile", async () => {
  const before = patterned(1_000_000);
  const { etag } = await store.create("a.bin", before);
  const { info, body } = await store.get("a.bin");
  await store.replace("a.bin", "short", etag);
  expect(info).toMatchObject({ etag, size: before.byteLength });
  expect(Buffer.compare(await collect(body), before)).toBe(0);
});

it("gives no state the etag of the one before, in however short a time", async () => {
  let { etag } = await store.create("a.txt", "0000");
  const seen = new Set([etag]);
  for (let n = 1; n <= 50; n += 1) {
    ({ etag } = await store.replace("a.txt", String(n).padStart(4, "0"), etag));
    expect((await store.head("a.txt"))?.etag).toBe(etag);
    expect(seen.has(etag)).toBe(false);
    seen.add(etag);
  }
});

it("gives a state that replaces one of the future an etag of its own", async () => {
  await store.create("a.txt", "one");
  const future = new Date(Date.now() + 86_400_000);
  await utimes(join(root, "a.txt"), future, future);
  const ahead = await store.head("a.txt");
  const next = await store.replace("a.txt", "two", ahead?.etag ?? "");
  expect(next.modified.getTime()).toBeGreaterThanOrEqual(future.getTime());
  expect(next.etag).not.toBe(ahead?.etag);
});

it("streams to the disk while the body is still coming, and leaves nothing of it when aborted", async () => {
  const { stream, stalled } = stalledStream(patterned(300_000));
  const abort = new AbortController();
  const work = store.create("a.bin", stream, { signal: abort.signal });
  await stalled;
  const staged = await readdir(join(root, ".store", "staging"));
  expect(staged).toHaveLength(1);
  abort.abort();
  await expectFailure(work, "cancelled");
  expect(await readdir(join(root, ".store", "staging"))).toEqual([]);
});

it("removes what killed writers left, a day later", async () => {
  const staging = join(root, ".store", "staging");
  await mkdir(staging, { recursive: true });
  for (const name of ["old", "new"]) await writeFile(join(staging, name), "half");
  const longAgo = new Date(Date.now() - 2 * 86_400_000);
  await utimes(join(staging, "old"), longAgo, longAgo);
  await store.create("a.txt", "text");
  expect(await readdir(staging)).toEqual(["new"]);
});

it("tells a folder that may not be written, or an object that may not be read", async () => {
  await store.create("a.txt", "text");
  await chmod(join(root, "a.txt"), 0o000);
  await chmod(join(root, ".store", "staging"), 0o555);
  await chmod(folder.path, 0o755);
  await asOrdinaryUser(async () => {
    const failure = { code: "dependency_down", disposition: { kind: "fail" } };
    await expect(store.create("b.txt", "text")).rejects.toMatchObject(failure);
    await expect(store.get("a.txt")).rejects.toMatchObject(failure);
    await expect(createFsStore({ root: join(root, "new") }).create("a", "x")).rejects.toMatchObject(failure);
  });
  expect(await keysOf(store, "")).toEqual(["a.txt"]);
});

it("tells a full disk, and keeps nothing of what did not fit", async () => {
  await store.create("a.txt", "text");
  const program = join(import.meta.dirname, "..", "testing", "fill-main.ts");
  // A limit on the size of files stands in for the disk: the write fails half-way just so.
  const { stdout } = await promisify(execFile)("sh", [
    "-c",
    'trap "" XFSZ; ulimit -f 64; exec "$@"',
    "sh",
    process.execPath,
    program,
    root,
    "b.bin",
    "1000000",
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    code: "dependency_down",
    message: "The disk that holds the runs is full.",
    disposition: { kind: "fail" },
  });
  expect(await keysOf(store, "")).toEqual(["a.txt"]);
  expect(await readdir(join(root, ".store", "staging"))).toEqual([]);
});

it.each([
  ["ENOSPC", "dependency_down", "fail"],
  ["EDQUOT", "dependency_down", "fail"],
  ["EROFS", "dependency_down", "fail"],
  ["EACCES", "dependency_down", "fail"],
  ["EIO", "dependency_down", "retry"],
  ["EMFILE", "dependency_down", "retry"],
  ["ENOENT", "not_found", "fail"],
  ["ENAMETOOLONG", "invalid_input", "fail"],
])("turns %s into %s", (code, expected, kind) => {
  const error = Object.assign(new Error("failed"), { code, syscall: "open" });
  expect(fromErrno(error)).toMatchObject({ code: expected, disposition: { kind }, cause: error });
});

it("lets nobody claim a state that a living writer has, and anybody one whose claim cannot be read", async () => {
  const claims = join(root, ".store", "claims");
  const first = await claimState(claims, "a.txt", "etag");
  expect(await claimState(claims, "a.txt", "etag")).toBeNull();
  expect(await claimState(claims, "b.txt", "etag")).not.toBeNull();
  expect(await claimState(claims, "a.txt", "other")).not.toBeNull();
  await first?.release();
  expect(await claimState(claims, "a.txt", "etag")).not.toBeNull();
  for (const name of await readdir(claims)) await truncate(join(claims, name, "0"), 0);
  expect(await claimState(claims, "a.txt", "etag")).not.toBeNull();
});

it("takes a claim from another machine for living at first and for dead after a minute", async () => {
  const { etag } = await store.create("a.txt", "one");
  const claims = join(root, ".store", "claims");
  const claim = await claimState(claims, "a.txt", etag);
  expect(claim).not.toBeNull();
  const [name = ""] = await readdir(claims);
  const file = join(claims, name, "0");
  await writeFile(file, JSON.stringify({ pid: 1, started: "1", place: "elsewhere" }));
  await expectFailure(store.replace("a.txt", "two", etag), "conflict");
  const then = new Date(Date.now() - 61_000);
  await utimes(file, then, then);
  await store.replace("a.txt", "two", etag);
  expect(await textOf(store, "a.txt")).toBe("two");
});
