import { access, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { extractFences } from "@proofroom/markdown";
import { silentLogger } from "@proofroom/telemetry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPython } from "../sandbox/interpreters.ts";
import type { SandboxDriver } from "../sandbox/sandbox-driver.ts";
import { selectDriver } from "../sandbox/select-driver.ts";
import { createSyntaxChecker } from "../syntax/check-syntax.ts";
import { PythonHelper } from "../syntax/python-helper.ts";
import fixture from "./fixtures/runs.json" with { type: "json" };
import { type BlockResult, groupsOf, runBlocks } from "./run-blocks.ts";

const signal = new AbortController().signal;
const canary = "/tmp/codeqa-canary";
const { env_canaries: environment, file_canary: file, host_absent_after: absent } = fixture.harness;
let driver: SandboxDriver;
let python: PythonHelper;
let version: readonly [number, number];

beforeAll(async () => {
  const found = await findPython(signal);
  driver = await selectDriver({ log: silentLogger(), signal });
  if (found === null || driver.name === "none") {
    throw new Error(
      "No sandbox passed its self-test: install bubblewrap and python3, allow user namespaces.",
    );
  }
  version = found.version;
  python = new PythonHelper(found);
  Object.assign(process.env, environment);
  await mkdir(canary, { recursive: true });
  await writeFile(file.path, file.content);
});

afterAll(async () => {
  for (const name of Object.keys(environment)) delete process.env[name];
  await rm(canary, { recursive: true, force: true });
  await python?.close();
  await driver?.close();
});

async function check(markdown: string): Promise<BlockResult[]> {
  return await runBlocks(markdown, extractFences(markdown), {
    checkSyntax: createSyntaxChecker(python),
    python,
    driver,
    run: true,
    signal,
  });
}

interface Expected {
  index: number;
  syntax: string;
  run: string;
  reason: string | null;
  stdout_contains?: string;
  stdout_lacks?: string[];
  error_contains?: string;
  error_line?: number;
  article_line?: number;
  truncated?: boolean;
  exit_code?: number;
  accept?: { run: string; reason: string | null }[];
}

function compare(result: BlockResult, expected: Expected, startLine: number): void {
  const where = `block ${expected.index}: ${JSON.stringify(result).slice(0, 1_500)}`;
  expect(result.syntax, where).toBe(expected.syntax);
  const outcomes = [{ run: expected.run, reason: expected.reason }, ...(expected.accept ?? [])];
  expect(outcomes, where).toContainEqual({ run: result.run, reason: result.reason });
  if (expected.stdout_contains === "") expect(result.stdout, where).toBe("");
  else if (expected.stdout_contains) expect(result.stdout, where).toContain(expected.stdout_contains);
  for (const text of expected.stdout_lacks ?? []) expect(result.stdout, where).not.toContain(text);
  if (expected.error_contains) {
    expect(`${result.error}\n${result.syntax_error}\n${result.stderr}`, where).toContain(
      expected.error_contains,
    );
  }
  if (expected.error_line !== undefined) expect(result.error_line, where).toBe(expected.error_line);
  if (expected.article_line !== undefined) {
    expect(startLine + (result.error_line ?? 0), where).toBe(expected.article_line);
  }
  if (expected.truncated !== undefined) expect(result.truncated, where).toBe(expected.truncated);
  if (expected.exit_code !== undefined) expect(result.exit_code, where).toBe(expected.exit_code);
  expect(`${result.stdout}${result.stderr}${result.error}`).not.toContain("canary-");
}

async function sleepers(): Promise<number> {
  let count = 0;
  for (const entry of await readdir("/proc")) {
    const command = await readFile(`/proc/${entry}/cmdline`, "utf8").catch(() => "");
    if (command === "sleep\u000060\u0000") count += 1;
  }
  return count;
}

interface Case {
  id: string;
  why: string;
  markdown: string;
  python?: string;
  expect: { snippets: Expected[]; groups: number[][] };
}

describe("articles", () => {
  test.each(fixture.cases as Case[])("$id: $why", async ({ markdown, python: needed, expect: expected }) => {
    const results = await check(markdown);
    const fences = extractFences(markdown);
    const parsed = ({ index, syntax }: { index: number; syntax: string }) => ({ index, syntax });
    expect(results.map(parsed)).toEqual(expected.snippets.map(parsed));
    // How the rest ends depends on annotations that are evaluated at once, and newer Pythons evaluate them late.
    if (needed === "<3.14" && version[1] >= 14) return;
    for (const [at, snippet] of expected.snippets.entries()) {
      compare(results[at] as BlockResult, snippet, fences[at]?.start_line ?? 0);
    }
    const groups = groupsOf(results);
    for (const group of expected.groups) {
      const contained = groups.some((found) => group.every((index) => found.includes(index)));
      expect(contained, `${JSON.stringify(group)} in ${JSON.stringify(groups)}`).toBe(true);
    }
    if (expected.groups.length === 0) expect(groups).toEqual([]);
    await expect(access(absent[0] ?? "")).rejects.toThrow("ENOENT");
    expect(await sleepers()).toBe(0);
  });
});
