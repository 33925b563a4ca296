import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { identify, isRunning } from "./process-identity.ts";

test("a running process is known again, and a later one with its pid is not taken for it", () => {
  const own = identify(process.pid);
  expect(own).toEqual({ pid: process.pid, startedAt: expect.stringMatching(/\d/) });
  expect(isRunning({ pid: process.pid, startedAt: own?.startedAt ?? "" })).toBe(true);
  expect(isRunning({ pid: process.pid, startedAt: "0" })).toBe(false);
});

test.runIf(process.platform === "linux")(
  "a process whose name holds brackets and spaces is read right",
  async () => {
    const child = spawn(process.execPath, [
      "-e",
      "process.title = 'a ) S 1 (b'; console.log(1); setInterval(() => {}, 1000)",
    ]);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const identity = identify(child.pid ?? 0);
    expect(Number(identity?.startedAt)).toBeGreaterThanOrEqual(Number(identify(process.pid)?.startedAt));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    expect(identify(child.pid ?? 0)).toBeUndefined();
  },
);
