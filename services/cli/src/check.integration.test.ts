import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "./testing/run-cli.ts";

let folder: TempFolder;

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(() => folder.close());

const fence = "```";
const good = `# Good\n\n${fence}python\nprint(1)\n${fence}\n`;
const bad = `# Bad\n\n${fence}python\nprint(1\n${fence}\n\n${fence}python\nraise ValueError("x")\n${fence}\n`;

async function check(...args: string[]) {
  await writeFile(join(folder.path, "good.md"), good);
  await writeFile(join(folder.path, "bad.md"), bad);
  return runCli(["check", ...args], { home: join(folder.path, "home"), cwd: folder.path });
}

describe("proofroom check", () => {
  it("runs the blocks of any Markdown file, without a run", async () => {
    const done = await check("good.md", "--json");
    expect(JSON.parse(done.stdout)).toMatchObject({
      failed: 0,
      files: [{ file: "good.md", blocks: [{ line: 3, run: "passed" }] }],
    });
    expect(done.code).toBe(0);
  });

  it("exits with 1 where a block fails, and says where and why", async () => {
    const done = await check("good.md", "bad.md");
    expect(done.stdout).toContain("line 4: SyntaxError");
    expect(done.stdout).toContain("ValueError: x");
    expect(done.stdout).toContain("3 blocks: 1 ran and passed, 2 failed, 0 not run");
    expect(done.code).toBe(1);
  });

  it("runs nothing where only the syntax is asked for", async () => {
    const done = await check("bad.md", "--no-run", "--json");
    expect(JSON.parse(done.stdout)).toMatchObject({
      failed: 1,
      sandbox: null,
      files: [{ blocks: [{ syntax: "invalid" }, { syntax: "valid", run: "not_run" }] }],
    });
  });

  it("names a file that is not there", async () => {
    const done = await check("gone.md");
    expect(done.stderr).toMatch(/^error: There is no file gone\.md\.\n {2}fix: /);
    expect(done.code).toBe(2);
  });
});
