import { type ChildProcess, execFileSync } from "node:child_process";
import { copyFile, mkdir, open, readFile, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { makeTempFolder, startTestRedis, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunResult } from "./output/results.ts";
import { runCli } from "./testing/run-cli.ts";
import { writeSmallGuideline } from "./testing/small-guideline.ts";
import { zipBomb } from "./testing/zip-bomb.ts";

let folder: TempFolder;
const closers: (() => Promise<void> | void)[] = [];

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await folder.close();
});

function write(guideline: string, env: Record<string, string> = {}) {
  return runCli(["write", guideline, "--json", "--out", join(folder.path, "out")], {
    home: join(folder.path, "home"),
    cwd: folder.path,
    env,
  });
}

function resultOf(stdout: string): RunResult {
  return JSON.parse(stdout) as RunResult;
}

async function guidelineWith(sources: readonly string[]): Promise<string> {
  const path = join(folder.path, "guideline.md");
  await writeFile(
    path,
    `# Guideline: A test\n\n## Sources\n\n${sources.map((source) => `- ${source}`).join("\n")}\n`,
  );
  return path;
}

/** A source that can be written from. */
async function writeNote(name: string, subject: string): Promise<string> {
  const sentence = `The ${subject} register names every change together with the day on which it was made.`;
  await writeFile(
    join(folder.path, name),
    `# The ${subject} register\n\n${sentence} Readers of the ${subject} register may ask the office for the papers behind a change. The office keeps the ${subject} register open on every working day of the year.\n`,
  );
  return `\`${name}\``;
}

describe("a guideline that is none", () => {
  it.each([
    ["is missing", async () => join(folder.path, "nowhere.md"), "not_found"],
    ["is a folder", async () => folder.path, "invalid_input"],
    [
      "is empty",
      async () => {
        await writeFile(join(folder.path, "empty.md"), " \n");
        return join(folder.path, "empty.md");
      },
      "invalid_input",
    ],
    [
      "is binary",
      async () => {
        await copyFile("/bin/true", join(folder.path, "binary.md"));
        return join(folder.path, "binary.md");
      },
      "invalid_input",
    ],
  ])("%s: one line what, one line how to mend, exit 2", async (_name, make, code) => {
    const done = await write(await make());
    expect(JSON.parse(done.stdout)).toMatchObject({ error: { code } });
    expect(done.stderr).toMatch(/^error: .+\n {2}fix: .+\n$/);
    expect(done.code).toBe(2);
  });
});

it("a setting that is wrong ends it before it begins, and leaves no run behind", async () => {
  const done = await write(await writeSmallGuideline(folder.path), { PROOFROOM_MODELS: "nowhere.yaml" });
  expect(JSON.parse(done.stdout)).toMatchObject({ error: { code: "invalid_input" } });
  expect(done.stderr).not.toContain("run_");
  expect(done.code).toBe(2);
  const list = await runCli(["list", "--json"], { home: join(folder.path, "home") });
  expect(JSON.parse(list.stdout)).toEqual({ runs: [] });
});

describe("sources that cannot be had", { timeout: 120_000 }, () => {
  it("fail the run where there is nothing else, and none of them becomes evidence", async () => {
    const done = await write(
      await guidelineWith([
        "<http://127.0.0.1:9/page>",
        "<https://unreachable.invalid/a>",
        "<https://www.youtube.com/watch?v=Rk9xQ2mT7aE>",
        "<https://unreachable.invalid/r.git>",
        "`gone.md`",
      ]),
    );
    const result = resultOf(done.stdout);
    expect(result).toMatchObject({ status: "failed", error: { code: "no_evidence" } });
    expect(result.files).toEqual({});
    expect(done.code).toBe(1);
    const status = await runCli(["status", result.run_id, "--json"], { home: join(folder.path, "home") });
    expect(status.stdout).toContain("GEMINI_API_KEY");
    expect(status.stdout).toContain("unreachable");
    expect(status.stdout).toContain("no_evidence");
  });

  it("are listed while the others are used: 400 of 500 missing", async () => {
    await mkdir(join(folder.path, "notes"));
    const sources: string[] = [];
    for (let n = 0; n < 100; n += 1) sources.push(await writeNote(`notes/n${n}.md`, `county ${n}`));
    for (let n = 0; n < 400; n += 1) sources.push(`\`notes/gone${n}.md\``);
    const done = await write(await guidelineWith(sources));
    expect(resultOf(done.stdout)).toMatchObject({ status: "succeeded" });
    const research = await readFile(join(folder.path, "out", "research.md"), "utf8");
    expect(research.match(/gone\d+\.md/g)).toHaveLength(400);
    expect(research).toContain("county 99");
  });

  it("are refused by size, by shape and by place, each with its reason", async () => {
    const note = await writeNote("note.md", "harbour");
    const large = await open(join(folder.path, "large.txt"), "w");
    await large.truncate(200 * 1024 * 1024);
    await large.close();
    await writeFile(join(folder.path, "bomb.docx"), zipBomb());
    await symlink("/etc/hostname", join(folder.path, "link.txt"));
    const done = await write(
      await guidelineWith([
        note,
        "`large.txt`",
        "`bomb.docx`",
        "`link.txt`",
        "`../outside.md`",
        "[x](/etc/passwd)",
      ]),
    );
    expect(resultOf(done.stdout)).toMatchObject({ status: "succeeded" });
    const research = await readFile(join(folder.path, "out", "research.md"), "utf8");
    const failures = research.slice(
      research.indexOf("## Not available"),
      research.indexOf("\n## ", research.indexOf("## Not available") + 5),
    );
    expect(failures).toMatch(/too_large.*large\.txt/);
    expect(failures).toMatch(/too_large.*bomb\.docx/);
    expect(failures).toMatch(/invalid_input.*link\.txt/);
    expect(research).not.toContain("root:");
  });
});

describe("a machine that fails", { timeout: 120_000 }, () => {
  it("a full disk ends the run with a clear error, and the run goes on when there is room", async () => {
    const disk = join(folder.path, "disk");
    await mkdir(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", disk]);
    closers.push(() => void execFileSync("umount", ["-l", disk]));
    const home = join(disk, "home");
    await mkdir(home);
    const guideline = await writeSmallGuideline(folder.path);
    const filler = await open(join(disk, "filler"), "w");
    let runId = "";
    const done = await runCli(["write", guideline, "--events"], {
      home,
      cwd: folder.path,
      onEvent(event) {
        runId = event.run_id;
        if (event.type === "step.finished" && event.step === "create_research_file")
          execFileSync("sh", ["-c", `dd if=/dev/zero of='${disk}/filler' bs=1M 2>/dev/null || true`]);
      },
    });
    expect(done.code).toBe(4);
    expect(done.stderr).toContain("disk that holds the runs is full");
    await filler.truncate(0);
    await filler.close();
    const resumed = await runCli(["resume", runId, "--json"], { home, cwd: folder.path });
    expect(resultOf(resumed.stdout)).toMatchObject({ status: "succeeded" });
  });

  it("a Redis that never answers can be interrupted, and nothing of the run is left", async () => {
    let child: ChildProcess | undefined;
    const silent = createServer(() => void child?.kill("SIGINT"));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    closers.push(() => void silent.close());
    const home = join(folder.path, "home");
    const done = await runCli(["write", await writeSmallGuideline(folder.path)], {
      home,
      cwd: folder.path,
      env: { REDIS_URL: `redis://127.0.0.1:${(silent.address() as AddressInfo).port}` },
      onStart: (started) => {
        child = started;
      },
    });
    expect([done.code, done.stderr]).toEqual([130, "error: Interrupted before it began.\n"]);
    const list = await runCli(["list", "--json"], { home });
    expect(JSON.parse(list.stdout)).toEqual({ runs: [] });
  });

  it("a Redis that goes away in mid-run and comes back costs nothing", async () => {
    const redis = await startTestRedis();
    closers.push(() => redis.close());
    const guideline = await writeSmallGuideline(folder.path);
    let outage: Promise<void> | undefined;
    const done = await runCli(["write", guideline, "--events"], {
      home: join(folder.path, "home"),
      cwd: folder.path,
      env: { REDIS_URL: redis.url },
      onEvent(event) {
        if (event.type === "step.finished" && event.step === "create_research_file")
          outage ??= redis.kill().then(() => redis.restart());
      },
    });
    await outage;
    expect(outage).toBeDefined();
    expect([0, 3]).toContain(done.code);
    expect(done.stdout).toContain('"status":"succeeded"');
  });
});
