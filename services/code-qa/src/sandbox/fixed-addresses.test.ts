import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { fixedAddresses } from "./fixed-addresses.ts";

const folder = mkdtempSync(join(tmpdir(), "proofroom-addresses-"));
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, status: number): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\nexit ${status}\n`);
  chmodSync(path, 0o755);
  return path;
}

test("addresses are fixed where that works, and a machine that forbids it still gets a sandbox", async () => {
  const { signal } = new AbortController();
  const works = program("works", 0);
  expect(await fixedAddresses(signal, [works])).toEqual([works, "--addr-no-randomize"]);
  expect(await fixedAddresses(signal, [program("forbidden", 1)])).toEqual([]);
  expect(await fixedAddresses(signal, [join(folder, "absent")])).toEqual([]);
  await expect(fixedAddresses(AbortSignal.abort(), [works])).rejects.toThrow();
});
