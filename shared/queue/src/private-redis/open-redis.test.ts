import { describe, expect, test, vi } from "vitest";
import { openRedis } from "./open-redis.ts";

const quiet = () => {};

function emptyMachine() {
  return {
    findServer: vi.fn(async () => undefined),
    engineAnswers: vi.fn(async () => false),
    installServer: vi.fn(async () => false),
  };
}

describe("openRedis on a machine without any Redis", () => {
  test("fails with the choices, having tried to install", async () => {
    const machine = emptyMachine();
    const opening = openRedis({ home: "/nonexistent", allowInstall: true, log: quiet }, machine);
    await expect(opening).rejects.toMatchObject({
      code: "dependency_down",
      remedy: "Install redis-server or valkey-server, start Docker, or set REDIS_URL.",
    });
    expect(machine.installServer).toHaveBeenCalledOnce();
  });

  test("installs nothing where that is forbidden, and names the setting", async () => {
    const machine = emptyMachine();
    const opening = openRedis({ home: "/nonexistent", allowInstall: false, log: quiet }, machine);
    await expect(opening).rejects.toMatchObject({ remedy: expect.stringContaining("PROOFROOM_NO_INSTALL") });
    expect(machine.installServer).not.toHaveBeenCalled();
  });
});

test("one that cannot be started, as below a file, is told from one that is missing", async () => {
  const lines: string[] = [];
  const machine = { ...emptyMachine(), findServer: async () => "redis-server" };
  const home = `${import.meta.filename}/home`;
  const opening = openRedis({ home, allowInstall: true, log: (line) => lines.push(line) }, machine);
  await expect(opening).rejects.toMatchObject({
    code: "dependency_down",
    remedy: expect.stringContaining(home),
  });
  expect(lines.join("\n")).toContain("redis-server could not be started: ");
  expect(machine.installServer).not.toHaveBeenCalled();
});

test("a given Redis that does not answer is an error that shows no password and starts nothing", async () => {
  const machine = emptyMachine();
  const redisUrl = "redis://user:hunter2@127.0.0.1:1";
  const error = await openRedis(
    { redis: { url: redisUrl }, home: "/nonexistent", allowInstall: true, log: quiet },
    machine,
  ).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "dependency_down" });
  expect(JSON.stringify(error) + String(error)).not.toContain("hunter2");
  expect(machine.findServer).not.toHaveBeenCalled();
});
