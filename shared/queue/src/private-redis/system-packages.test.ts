import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { installPrograms, missingPrograms, redisProgram } from "./system-packages.ts";

const bubblewrap = { name: "bubblewrap", binaries: ["bwrap"], package: "bubblewrap" };

let folder: string;
let said: string[];

/** A machine on whose PATH there is a shell and nothing else, until a test puts something there. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "programs-"));
  said = [];
  symlinkSync("/bin/sh", join(folder, "sh"));
  vi.stubEnv("PATH", folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function program(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n[ "$1" = --version ] && exit 0\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

function asUser(id: number): void {
  vi.spyOn(process, "getuid").mockReturnValue(id);
}

const install = () => installPrograms([redisProgram, bubblewrap], { log: (line) => said.push(line) });
const calls = () => readFileSync(join(folder, "calls"), "utf8");

describe("installPrograms", () => {
  test("says so, and names packages as the package manager does", async () => {
    asUser(0);
    program("dnf", `echo "$*" > ${folder}/calls`);
    expect(await install()).toBe(true);
    expect(calls()).toBe("install -y valkey bubblewrap\n");
    expect(said).toEqual(["Installing with dnf: valkey bubblewrap …"]);
  });

  test("uses sudo where it asks for no password", async () => {
    asUser(1000);
    program("sudo", '[ "$1" = -n ] || exit 1\nshift\n[ "$1" = true ] && exit 0\nexec "$@"');
    program("apk", `echo "$*" > ${folder}/calls`);
    expect(await install()).toBe(true);
    expect(calls()).toBe("add --no-cache redis bubblewrap\n");
  });

  test("installs nothing where a password would be needed", async () => {
    asUser(1000);
    program("sudo", "exit 1");
    program("dnf", `echo "$*" > ${folder}/calls`);
    expect(await install()).toBe(false);
    expect(said).toEqual(["dnf needs a password here (neither root nor sudo without one)."]);
    expect(calls).toThrow();
  });

  test("gives the last word of a package manager that fails", async () => {
    asUser(0);
    program("zypper", "echo chatter >&2; echo no such package >&2; exit 104");
    expect(await install()).toBe(false);
    expect(said.at(-1)).toBe("zypper could not install redis bubblewrap: no such package");
  });

  test("gives up on a machine without a known package manager", async () => {
    expect(await install()).toBe(false);
    expect(said).toEqual(["No known package manager is on the PATH."]);
  });
});

test("a program is there under any of its names", async () => {
  program("valkey-server", "");
  expect(await missingPrograms([redisProgram, bubblewrap])).toEqual([bubblewrap]);
});
