import { execFile } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ProofroomError } from "@proofroom/contracts";
import { fixedAddresses } from "./fixed-addresses.ts";
import { folderUse } from "./folder-use.ts";
import { findProgram, findPython, type PythonInterpreter } from "./interpreters.ts";
import { OWN_PROCESS, processFilter } from "./process-filter.ts";
import { type ReachableFile, reachableFile } from "./reachable-copy.ts";
import {
  defaultLimits,
  type SandboxDriver,
  type SandboxJob,
  type SandboxOutcome,
  type SandboxProbe,
  sandboxEnvironment,
} from "./sandbox-driver.ts";
import { seccompArchitecture, seccompFilter } from "./seccomp-filter.ts";
import { runWatched } from "./watched-process.ts";

const LAUNCHER = new URL("./landlock-launcher.py", import.meta.url);
const NOBODY = 65534;
const SYSTEM = [
  "/usr",
  "/bin",
  "/lib",
  "/lib32",
  "/lib64",
  "/etc/alternatives",
  "/etc/ld.so.cache",
  "/etc/ssl/openssl.cnf",
];
const DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/urandom", "/dev/random"];

const execute = promisify(execFile);

interface Ready {
  /** Program and arguments that stand before the interpreter that starts the launcher. */
  prefix: string[];
  launcher: string;
  filters: string[];
  python: PythonInterpreter;
  node: ReachableFile;
}

/**
 * Landlock, seccomp and limits on a plain process, for containers in which no namespaces can be made. Programs may
 * start threads but neither processes nor sockets; the host's system folders stay readable.
 */
export class LandlockDriver implements SandboxDriver {
  readonly name = "landlock";
  readonly subprocesses = false;
  #ready: Ready | null = null;

  async probe(signal: AbortSignal): Promise<SandboxProbe> {
    const ready = await this.#prepare(signal);
    if (typeof ready === "string") return { ok: false, reason: ready };
    this.#ready = ready;
    const outcome = await this.run({
      files: [{ path: "probe.py", content: 'print("ready")\n' }],
      command: "python",
      args: ["-B", "-u", "-s", { file: "probe.py" }],
      limits: defaultLimits,
      signal,
    });
    if (outcome.stdout === "ready\n") return { ok: true, reason: "works" };
    await this.close();
    return { ok: false, reason: outcome.stderr.trim().split("\n").at(-1) ?? "it gave no reason" };
  }

  async run(job: SandboxJob): Promise<SandboxOutcome> {
    const ready = this.#ready;
    if (ready === null) {
      throw new ProofroomError({
        code: "sandbox_unavailable",
        message: "The Landlock sandbox has not passed its probe.",
      });
    }
    const folder = await mkdtemp(join(tmpdir(), "proofroom-job-"));
    try {
      const outcome = await runIn(folder, job, ready);
      // Programs print their paths; a random folder would make every run different.
      const named = (text: string) =>
        text.replaceAll(join(folder, "snippet"), "/snippet").replaceAll(join(folder, "work"), "/work");
      return { ...outcome, stdout: named(outcome.stdout), stderr: named(outcome.stderr) };
    } finally {
      await removeFolder(folder);
    }
  }

  async close(): Promise<void> {
    await this.#ready?.node.close();
    this.#ready = null;
  }

  async #prepare(signal: AbortSignal): Promise<Ready | string> {
    if (process.platform !== "linux") return "Landlock needs Linux";
    const architecture = seccompArchitecture(process.arch);
    if (architecture === null) return `there is no seccomp filter for ${process.arch}`;
    const python = await findPython(signal);
    if (python === null) return "no Python 3.9 or newer in the usual places";
    const prefix: string[] = [];
    if (process.getuid?.() === 0) {
      const setpriv = await findProgram(["/usr/bin/setpriv", "/bin/setpriv"]);
      if (setpriv === null) return "root needs setpriv (package util-linux) to give up its rights";
      prefix.push(setpriv, "--reuid", String(NOBODY), "--regid", String(NOBODY), "--clear-groups");
    }
    prefix.push(...(await fixedAddresses(signal)));
    return {
      prefix: [...prefix, python.path, "-I", "-S", "-B", "-c"],
      launcher: await readFile(LAUNCHER, "utf8"),
      filters: [seccompFilter(architecture), processFilter(architecture)].map((filter) =>
        Buffer.from(filter).toString("base64"),
      ),
      python,
      node: await reachableFile(await realpath(process.execPath)),
    };
  }
}

async function runIn(folder: string, job: SandboxJob, ready: Ready): Promise<SandboxOutcome> {
  const files = join(folder, "snippet");
  const work = join(folder, "work");
  await chmod(folder, 0o755);
  await mkdir(files);
  await mkdir(work);
  for (const file of job.files) await writeFile(join(files, file.path), file.content, { mode: 0o644 });
  if (process.getuid?.() === 0) await chown(work, NOBODY, NOBODY);
  const program = job.command === "python" ? ready.python.path : ready.node.path;
  const { limits } = job;
  const spec = {
    read: [...SYSTEM, ready.python.prefix, ready.node.path, files],
    work,
    devices: DEVICES,
    limits: {
      openFiles: limits.openFiles,
      fileBytes: limits.fileBytes,
      addressSpaceBytes: limits.addressSpaceBytes[job.command],
      cpuSeconds: Math.ceil(limits.wallMs / 1000) * 8,
    },
    filters: ready.filters,
    ownProcess: OWN_PROCESS,
    command: [
      program,
      ...job.args.map((argument) => (typeof argument === "string" ? argument : join(files, argument.file))),
    ],
    environment: sandboxEnvironment(work),
  };
  const [file, ...args] = [...ready.prefix, ready.launcher];
  const outcome = await runWatched({
    file: file as string,
    args,
    inputs: [JSON.stringify(spec)],
    limits,
    signal: job.signal,
    hasOverfilled: async () => {
      const use = await folderUse(work, limits.scratchEntries);
      return use.bytes > limits.scratchBytes || use.entries > limits.scratchEntries;
    },
  });
  if (outcome.exit === 125 && outcome.stderr.startsWith("launcher:")) {
    throw new ProofroomError({
      code: "sandbox_unavailable",
      message: "The Landlock sandbox could not be set up.",
      cause: new Error(outcome.stderr.trim()),
    });
  }
  return outcome;
}

/** Also where the program nested folders beyond the longest path or took away its own rights. */
async function removeFolder(folder: string): Promise<void> {
  await execute("/bin/chmod", ["-R", "u+rwx", folder]).catch(() => undefined);
  await execute("/bin/rm", ["-rf", folder]);
}
