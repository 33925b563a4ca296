import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { endProcess, eventually, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ObjectStore } from "../store.ts";
import { expectFailure, textOf } from "../testing/bytes.ts";
import { createFsStore } from "./fs-store.ts";

let folder: TempFolder;
let store: ObjectStore;
let children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
});
afterEach(async () => {
  await Promise.all(children.map(kill));
  children = [];
  await folder.close();
});

const kill = (child: ChildProcess) => endProcess(child, "SIGKILL");

interface Writer {
  child: ChildProcess;
  said: string;
}

function run(program: string, ...args: string[]): Writer {
  const file = join(import.meta.dirname, "..", "testing", program);
  const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const writer: Writer = { child, said: "" };
  child.stdout.on("data", (data: Buffer) => {
    writer.said += data.toString();
  });
  children.push(child);
  return writer;
}

it("passes over a writer that was killed between its claim and its rename, and over none that lives", async () => {
  const { etag } = await store.create("a.txt", "one");
  for (const _ of [1, 2]) {
    const writer = run("claim-main.ts", folder.path, "a.txt", etag);
    await eventually(() => writer.said !== "");
    expect(writer.said).toBe("claimed\n");
    await expectFailure(store.replace("a.txt", "mine", etag), "conflict");
    await kill(writer.child);
  }
  await store.replace("a.txt", "mine", etag);
  expect(await textOf(store, "a.txt")).toBe("mine");
});

it("deletes an object whose replacer was killed", async () => {
  const { etag } = await store.create("a.txt", "one");
  const writer = run("claim-main.ts", folder.path, "a.txt", etag);
  await eventually(() => writer.said === "claimed\n");
  await kill(writer.child);
  await store.delete("a.txt");
  expect(await store.head("a.txt")).toBeNull();
});

it("loses no update of several processes, some of which are killed while they write", async () => {
  await store.create("counter.txt", "0");
  const writers = [1, 2, 3, 4].map(() => run("count-main.ts", folder.path, "counter.txt", "60"));
  const doomed = writers.slice(0, 2);
  await Promise.all(
    doomed.map(async ({ child }, index) => {
      await eventually(() => (doomed[index]?.said.length ?? 0) >= 5 + index * 10);
      await kill(child);
    }),
  );
  await eventually(() => writers.every(({ child }) => child.exitCode !== null || child.signalCode !== null));
  const acknowledged = writers.reduce((sum, { said }) => sum + said.length, 0);
  expect(writers.slice(2).map(({ said }) => said.length)).toEqual([60, 60]);
  const counted = Number(await textOf(store, "counter.txt"));
  // A process may be killed after its replacement and before it says so.
  expect(counted).toBeGreaterThanOrEqual(acknowledged);
  expect(counted).toBeLessThanOrEqual(acknowledged + doomed.length);
});
