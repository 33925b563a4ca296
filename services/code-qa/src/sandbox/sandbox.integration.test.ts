import { once } from "node:events";
import { access, chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { silentLogger } from "@proofroom/telemetry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import attacks from "./fixtures/sandbox-attacks.json" with { type: "json" };
import ordinary from "./fixtures/sandbox-ordinary.json" with { type: "json" };
import { findPython } from "./interpreters.ts";
import {
  defaultLimits,
  type SandboxDriver,
  type SandboxLimits,
  type SandboxOutcome,
} from "./sandbox-driver.ts";
import { selectDriver } from "./select-driver.ts";
import { selfTest } from "./self-test.ts";

const signal = new AbortController().signal;
let pythonVersion: readonly [number, number];
let victim: string;
const connections: string[] = [];
const servers: Server[] = [];

beforeAll(async () => {
  pythonVersion = (await findPython(signal))?.version ?? [0, 0];
  victim = await mkdtemp(join(tmpdir(), "proofroom-victim-"));
  await chmod(victim, 0o777);
  await writeFile(join(victim, "secret.txt"), "CANARY_SECRET", { mode: 0o644 });
  await writeFile(join(victim, "writable.txt"), "", { mode: 0o666 });
  await listen(join(victim, "s.sock"), "unix");
  process.env["CANARY_ENV"] = "CANARY_ENV";
});

afterAll(async () => {
  delete process.env["CANARY_ENV"];
  for (const server of servers) server.close();
  if (victim !== undefined) await rm(victim, { recursive: true, force: true });
});

async function listen(path: string | number, name: string): Promise<AddressInfo | string | null> {
  const server = createServer((socket) => {
    connections.push(name);
    socket.destroy();
  });
  servers.push(server);
  server.listen(typeof path === "string" ? { path } : { port: path, host: "127.0.0.1" });
  await once(server, "listening");
  return server.address();
}

async function runPython(
  driver: SandboxDriver,
  code: string,
  limits: SandboxLimits = defaultLimits,
): Promise<SandboxOutcome> {
  return await driver.run({
    files: [{ path: "case.py", content: code }],
    command: "python",
    args: ["-B", "-u", "-s", { file: "case.py" }],
    limits,
    signal,
  });
}

/** Endings that are as good as the one in the case file: a limit that is met first, a call that is refused. */
const alsoFits: Record<string, Record<string, string>> = {
  bubblewrap: { recursion: "|oom|timeout", shmbomb: "|oom", inodes: "|oom" },
  landlock: { recursion: "|oom|timeout", forkmem: "|error", shmbomb: "|oom", inodes: "|oom" },
};

/** Ordinary snippets that start a process or open a socket. */
const needsMore = new Set(["subproc", "httpd"]);

/** What an attack prints before it begins, and after all that it does where nothing has ended it before. */
const beginning = "ATTACK BEGINS";
const ending = "ATTACK ENDS";

function marked(code: string): string {
  return `print("${beginning}", flush=True)\n${code}\nprint("\\n${ending}", flush=True)\n`;
}

/** What the case file calls an end: a word, or several where either will do. */
function fits(verdict: string, outcome: SandboxOutcome): boolean {
  return verdict.split("|").some((word) => {
    switch (word) {
      case "any":
        return true;
      case "ok":
        return outcome.verdict === "ok" && outcome.stdout.includes(ending);
      case "output-limit":
        return outcome.verdict === "output_limit";
      default:
        return outcome.verdict === word;
    }
  });
}

async function leftovers(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith("proofroom-job-")).sort();
}

const described = (outcome: SandboxOutcome) =>
  `${outcome.verdict}: ${outcome.stdout}${outcome.stderr}`.slice(0, 2_000);

describe.each(["bubblewrap", "landlock"] as const)("%s", (name) => {
  let driver: SandboxDriver;

  beforeAll(async () => {
    driver = await selectDriver({ allow: [name], log: silentLogger(), signal });
    if (driver.name !== name) {
      throw new Error(
        `${name} did not pass its self-test here: it needs python3 and, to make namespaces, bwrap.`,
      );
    }
  });

  afterAll(async () => {
    await driver?.close();
  });

  describe("attacks from within", () => {
    test.each(attacks.cases)("$id: $what", async ({ id, code, verdict }) => {
      const attack = code
        .replaceAll("{{VICTIM_DIR}}", victim)
        .replaceAll("{{VICTIM_NAME}}", basename(victim));
      const before = connections.length;
      const outcome = await runPython(driver, marked(attack));
      // One that never ran has done no harm either.
      expect(outcome.stdout, described(outcome)).toContain(beginning);
      expect(outcome.stdout, described(outcome)).not.toMatch(/PWNED|CANARY/);
      expect(
        fits(verdict + (alsoFits[name]?.[id] ?? ""), outcome),
        `${id} should end as ${verdict}, ended as ${described(outcome)}`,
      ).toBe(true);
      expect(connections.length).toBe(before);
      for (const place of [victim, "/usr", "/etc", "/var/tmp", "/"]) {
        await expect(access(join(place, "pwned"))).rejects.toThrow("ENOENT");
      }
      expect(await readFile(join(victim, "writable.txt"), "utf8")).toBe("");
      if (id === "sitepkg") expect((await runPython(driver, "print('next')")).stdout).toBe("next\n");
    });

    test("a listener on the host's loopback is out of reach", async () => {
      const address = (await listen(0, "tcp")) as AddressInfo;
      const outcome = await runPython(
        driver,
        `import socket\nsocket.create_connection(("127.0.0.1", ${address.port}), 1)\nprint("PWNED")\n`,
      );
      expect(outcome.stderr).toMatch(/ConnectionRefusedError|PermissionError/);
      expect(connections).not.toContain("tcp");
    });

    test("a memory bomb ends as oom or MemoryError", async () => {
      const outcome = await runPython(driver, "x = []\nwhile True: x.append(bytearray(50_000_000))\n");
      expect(outcome.verdict === "oom" || outcome.stderr.includes("MemoryError"), described(outcome)).toBe(
        true,
      );
    });

    test("more files than allowed in the working directory end the job", async () => {
      const outcome = await runPython(
        driver,
        "import time\nfor i in range(1500): open(f'f{i}', 'w').close()\ntime.sleep(60)\n",
        { ...defaultLimits, scratchEntries: 1_000, wallMs: 20_000 },
      );
      expect(outcome.verdict, described(outcome)).toBe("oom");
    });
  });

  describe("ordinary snippets run as they do outside", () => {
    test.each(ordinary.cases)("$id", async ({ id, code, exit, stdout, stderr_tail }) => {
      const outcome = await runPython(driver, code);
      if (!driver.subprocesses && needsMore.has(id)) {
        expect(outcome.stderr).toContain("PermissionError");
        return;
      }
      if (id === "pep695" && pythonVersion[1] >= 12) {
        expect(outcome).toMatchObject({ exit: 0, stdout: "1\n" });
        return;
      }
      expect(outcome.exit, outcome.stderr).toBe(exit);
      if (stdout !== undefined) expect(outcome.stdout).toBe(stdout);
      if (stderr_tail !== undefined) expect(outcome.stderr.trimEnd().endsWith(stderr_tail)).toBe(true);
    });

    test("JavaScript runs with this process's Node, without its environment or folder", async () => {
      const outcome = await driver.run({
        files: [
          {
            path: "case.cjs",
            content:
              "console.log(process.version, 'CANARY_ENV' in process.env, require('fs').readdirSync('.').length)",
          },
        ],
        command: "node",
        args: [{ file: "case.cjs" }],
        limits: defaultLimits,
        signal,
      });
      expect(outcome).toMatchObject({ verdict: "ok", stdout: `${process.version} false 0\n` });
    });

    test("the same program gives the same addresses, twice", async () => {
      const first = await runPython(driver, "print(object(), __file__)");
      expect((await runPython(driver, "print(object(), __file__)")).stdout).toBe(first.stdout);
    });
  });

  describe("a job's end", () => {
    test("10 MB of output are cut to 1 MB without holding them, and the job ends well", async () => {
      const outcome = await runPython(driver, "for _ in range(10 * 1024): print('0123456789abcdef' * 64)\n");
      expect(outcome).toMatchObject({ verdict: "ok", truncated: true });
      expect(outcome.stdout.length).toBe(defaultLimits.outputBytes);
    });

    test("aborting kills the job", async () => {
      const controller = new AbortController();
      const running = driver.run({
        files: [{ path: "case.py", content: "while True: pass" }],
        command: "python",
        args: [{ file: "case.py" }],
        limits: defaultLimits,
        signal: controller.signal,
      });
      controller.abort();
      await expect(running).rejects.toMatchObject({ code: "cancelled" });
    });
  });

  test("what a job leaves behind is removed", async () => {
    const before = await leftovers();
    await runPython(
      driver,
      "import os\nos.mkdir('locked')\nopen('locked/f', 'w').close()\nfor _ in range(3000): os.mkdir('d', 0o700); os.chdir('d')\nos.umask(0o777)\nos.mkdir('none')",
    );
    expect(await leftovers()).toEqual(before);
  });
});

describe("choosing a driver", () => {
  test("the self-test finds a driver that confines nothing", async () => {
    const weak: SandboxDriver = {
      name: "weak",
      subprocesses: true,
      probe: async () => ({ ok: true, reason: "" }),
      // Answers as a sandbox that lets everything through would, without running anything.
      run: async () => ({
        verdict: "ok",
        exit: 0,
        signal: null,
        stdout: "REACHED a secret file\nREACHED the environment\ndone\n",
        stderr: "",
        truncated: false,
        ms: 1,
      }),
      close: async () => undefined,
    };
    expect(await selfTest(weak, signal)).toEqual(["a secret file", "the environment", "an endless program"]);
    const chosen = await selectDriver({ drivers: [weak], log: silentLogger(), signal });
    expect(chosen.name).toBe("none");
  });

  test("without an allowed driver nothing is run", async () => {
    const none = await selectDriver({ allow: ["none"], log: silentLogger(), signal });
    expect(none.name).toBe("none");
    await expect(
      none.run({ files: [], command: "python", args: [], limits: defaultLimits, signal }),
    ).rejects.toMatchObject({ code: "sandbox_unavailable" });
  });
});
