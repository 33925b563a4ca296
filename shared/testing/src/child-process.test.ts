import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { endProcess, untilServing } from "./child-process.ts";

const never = new Promise<never>(() => undefined);
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) await endProcess(child, "SIGKILL");
});

function start(program: string): ChildProcess {
  const child = spawn(process.execPath, ["--eval", program], { stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  return child;
}

/** One that does not listen to SIGTERM, and has said so. */
async function startDeaf(): Promise<ChildProcess> {
  const child = start("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('deaf')");
  if (child.stdout !== null) await once(child.stdout, "data");
  return child;
}

it("a process that has ended by itself, or by a signal, is not waited for", async () => {
  const ended = start("process.exitCode = 3");
  await once(ended, "exit");
  expect(await endProcess(ended)).toBe(3);
  const killed = start("setInterval(() => {}, 1000)");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(await endProcess(killed)).toBeNull();
});

it("a process that does not end when it is told is killed", async () => {
  const deaf = await startDeaf();
  expect(await endProcess(deaf, "SIGTERM", 1)).toBeNull();
  expect(deaf.signalCode).toBe("SIGKILL");
});

it("a process that ends as it starts, or is none, is not waited for", async () => {
  await expect(untilServing(start("process.exitCode = 3"), never, () => "why")).rejects.toThrow("why");
  const none = spawn("/nowhere/no-such-program", [], { stdio: "ignore" });
  await expect(untilServing(none, never)).rejects.toThrow("cannot be started");
  await endProcess(none);
});

it("a process that does not come to serve is ended", async () => {
  const deaf = await startDeaf();
  await expect(untilServing(deaf, Promise.reject(new Error("late")))).rejects.toThrow("late");
  expect(deaf.signalCode).toBe("SIGKILL");
});

it("a process that serves goes on", async () => {
  const deaf = await startDeaf();
  expect(await untilServing(deaf, Promise.resolve("ready"))).toBe("ready");
  expect(deaf.exitCode ?? deaf.signalCode).toBeNull();
});
