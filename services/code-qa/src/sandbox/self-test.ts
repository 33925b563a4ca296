import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { access, chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { defaultLimits, type SandboxDriver, type SandboxOutcome } from "./sandbox-driver.ts";

const ATTACKS = new URL("./self-test-attacks.py", import.meta.url);
/** How long killed processes may take to disappear, in milliseconds. */
const REAPING = 2_000;

/**
 * Attacks the sandbox from within: a secret file, the environment, the host's loopback, vsock, user namespaces,
 * writing outside, forking without end, a process that outlives its job, a program that never ends.
 *
 * @returns what was reached; nothing means that the sandbox held
 */
export async function selfTest(driver: SandboxDriver, signal: AbortSignal): Promise<string[]> {
  const secret = `secret-${randomUUID()}`;
  const folder = await mkdtemp(join(tmpdir(), "proofroom-selftest-"));
  const server = createServer((socket) => socket.destroy());
  try {
    // Readable and writable by anyone: only the sandbox may stand in the way.
    await chmod(folder, 0o777);
    await writeFile(join(folder, "secret.txt"), secret, { mode: 0o644 });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const port = (server.address() as AddressInfo).port;

    const attacked = await runPython(driver, signal, {
      content: await readFile(ATTACKS, "utf8"),
      args: [folder, secret, String(port), String(defaultLimits.processes)],
      wallMs: 4_000,
    });
    const reached = attacked.stdout.split("\n").flatMap((line) => line.match(/^REACHED (.+)$/)?.[1] ?? []);
    if (!attacked.stdout.endsWith("done\n")) reached.push(`no end of the test (${attacked.verdict})`);
    if (await exists(join(folder, "written.txt"))) reached.push("the file system outside");
    if (await outlives(secret, signal)) reached.push("a process that outlives its job");

    const endless = await runPython(driver, signal, {
      content: "while True: pass\n",
      args: [],
      wallMs: 500,
    });
    if (endless.verdict !== "timeout") reached.push("an endless program");
    return [...new Set(reached)];
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runPython(
  driver: SandboxDriver,
  signal: AbortSignal,
  program: { content: string; args: string[]; wallMs: number },
): Promise<SandboxOutcome> {
  return await driver.run({
    files: [{ path: "self_test.py", content: program.content }],
    command: "python",
    args: ["-B", "-u", "-s", { file: "self_test.py" }, ...program.args],
    limits: { ...defaultLimits, wallMs: program.wallMs },
    signal,
  });
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

/** Whether a process with `token` in its command line is still there after the time that reaping takes. */
async function outlives(token: string, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + REAPING;
  while (await isAlive(token)) {
    if (performance.now() > deadline) return true;
    await delay(20, undefined, { signal });
  }
  return false;
}

async function isAlive(token: string): Promise<boolean> {
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const command = await readFile(`/proc/${entry}/cmdline`, "utf8").catch(() => "");
    if (command.includes(token)) return true;
  }
  return false;
}
