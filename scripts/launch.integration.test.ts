import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkoutFolder } from "./checks/check.ts";

let checkout: string;
let elsewhere: string;

/** A checkout of the entry scripts alone, with a command that tells what it was given and an npm that only notes that it ran. */
beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "an entry ")));
  checkout = join(folder, "checkout");
  elsewhere = join(folder, "elsewhere");
  mkdirSync(elsewhere);
  for (const part of ["scripts/lib", "scripts/start.mjs", "services/cli/bin"]) {
    cpSync(join(checkoutFolder, part), join(checkout, part), { recursive: true });
  }
  write("package.json", '{"type":"module"}');
  write("package-lock.json", '{"lockfileVersion":3}');
  write(
    "services/cli/src/main.ts",
    `const [what, value] = process.argv.slice(2);
     if (what === "exit") process.exit(Number(value));
     if (what === "die") process.kill(process.pid, "SIGKILL");
     if (what === "wait") {
       for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => { console.log(name); process.exit(3); });
       setInterval(() => {}, 1000);
     }
     console.log(JSON.stringify({ args: process.argv.slice(2), stood: process.env["INIT_CWD"], cwd: process.cwd() }));`,
  );
  fakeNpm('mkdir -p node_modules; sleep 0.2; echo "{}" > node_modules/.package-lock.json; echo chatter');
});

afterEach(() => rmSync(dirname(checkout), { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(checkout, file)), { recursive: true });
  writeFileSync(join(checkout, file), text);
}

function fakeNpm(script: string): void {
  write("programs/npm", `#!/bin/sh\necho "$*" >> npm-runs\n${script}\n`);
  chmodSync(join(checkout, "programs/npm"), 0o755);
}

function installs(): number {
  const runs = join(checkout, "npm-runs");
  return existsSync(runs) ? readFileSync(runs, "utf8").trim().split("\n").length : 0;
}

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

function begin(args: string[], script = "scripts/start.mjs", initCwd?: string) {
  const { INIT_CWD: _, ...inherited } = process.env;
  const PATH = `${join(checkout, "programs")}:${process.env["PATH"]}`;
  const child = spawn(process.execPath, [join(checkout, script), ...args], {
    cwd: elsewhere,
    env: { ...inherited, PATH, ...(initCwd === undefined ? {} : { INIT_CWD: initCwd }) },
  });
  return { child, outcome: outcomeOf(child) };
}

function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const said = { stdout: "", stderr: "" };
  child.stdout?.on("data", (text) => (said.stdout += text));
  child.stderr?.on("data", (text) => (said.stderr += text));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...said })));
}

function run(args: string[], script?: string, initCwd?: string): Promise<Outcome> {
  return begin(args, script, initCwd).outcome;
}

describe("dependencies", () => {
  test("are installed once, said in one line on stderr, and not again", async () => {
    const first = await run(["list"]);
    expect(first.stderr).toBe("Installing npm dependencies (npm ci) …\nchatter\n");
    expect(JSON.parse(first.stdout).args).toEqual(["list"]);
    expect(readFileSync(join(checkout, "npm-runs"), "utf8")).toMatch(/^ci /);
    const second = await run(["list"]);
    expect(second.stderr).toBe("");
    expect(installs()).toBe(1);
    expect(existsSync(join(checkout, ".proofroom"))).toBe(false);
  });

  test("are installed again when the lock file has changed, and not when it was only touched", async () => {
    await run(["list"]);
    write("package-lock.json", '{"lockfileVersion":3}');
    await run(["list"]);
    expect(installs()).toBe(1);
    write("package-lock.json", '{"lockfileVersion":3,"packages":{}}');
    await run(["list"]);
    expect(installs()).toBe(2);
  });

  test("that were installed by hand are taken as they are", async () => {
    write("node_modules/.package-lock.json", "{}");
    await run(["list"]);
    expect(installs()).toBe(0);
  });

  test("are installed once by commands started at the same moment", async () => {
    const outcomes = await Promise.all([run(["list"]), run(["list"]), run(["list"])]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(installs()).toBe(1);
  });

  test("are installed though a killed command left its lock", async () => {
    const gone = spawn(process.execPath, ["--version"], { stdio: "ignore" });
    await new Promise((resolve) => gone.once("exit", resolve));
    write(".proofroom/install.lock", String(gone.pid));
    expect((await run(["list"])).code).toBe(0);
    expect(installs()).toBe(1);
  });

  test("that cannot be installed end the command with a message, and the next one tries again", async () => {
    fakeNpm("exit 1");
    const { code, stdout, stderr } = await run(["list"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("npm ci failed");
    expect(existsSync(join(checkout, ".proofroom"))).toBe(false);
    await run(["list"]);
    expect(installs()).toBe(2);
  });
});

describe("the command", () => {
  beforeEach(() => write("node_modules/.package-lock.json", "{}"));

  test("is the example where nothing is asked for, and only for npm start", async () => {
    expect(JSON.parse((await run([])).stdout).args).toEqual(["write", "--example"]);
    expect(JSON.parse((await run([], "services/cli/bin/proofroom.mjs")).stdout).args).toEqual([]);
  });

  test("is told where the user stood", async () => {
    const args = ["write", "a b.md", "--topic", "“$HOME”"];
    expect(JSON.parse((await run(args)).stdout)).toEqual({ args, stood: elsewhere, cwd: elsewhere });
    expect(JSON.parse((await run(args, "scripts/start.mjs", "/given")).stdout).stood).toBe("/given");
  });

  test("decides the exit code", async () => {
    expect((await run(["exit", "3"])).code).toBe(3);
    expect((await run(["die"])).code).toBe(128 + constants.signals.SIGKILL);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("hears %s and ends in its own way", async (signal) => {
    const { child, outcome } = begin(["wait"]);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill(signal);
    const { code, stdout } = await outcome;
    expect(code).toBe(3);
    expect(stdout).toContain(signal);
  });

  test.runIf(process.platform === "linux")(
    "runs under the Node that came with the dependencies",
    async () => {
      const node = `node_modules/node-linux-${process.arch}/bin/node`;
      write(node, `#!/bin/sh\necho "bundled: $1"\n`);
      chmodSync(join(checkout, node), 0o755);
      expect((await run(["list"])).stdout).toBe(`bundled: ${join(checkout, "services/cli/src/main.ts")}\n`);
    },
  );

  test("needs Node 24 and says so", async () => {
    const { findNode } = await import(new URL("./lib/node-binary.mjs", import.meta.url).href);
    const old = { platform: "darwin", arch: "arm64", version: "20.11.0", execPath: "/old/node" };
    expect(() => findNode(checkout, old)).toThrow(/needs Node 24 or newer; this is Node 20\.11\.0/);
    expect(findNode(checkout, { ...old, version: "26.1.0" })).toBe("/old/node");
  });
});
