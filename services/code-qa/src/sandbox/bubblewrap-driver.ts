import { realpath, stat } from "node:fs/promises";
import { ProofroomError } from "@proofroom/contracts";
import { bubblewrapCall, type SandboxLayout, SCRATCH, systemFolders } from "./bubblewrap-arguments.ts";
import { fixedAddresses } from "./fixed-addresses.ts";
import { findProgram, findPython, type PythonInterpreter } from "./interpreters.ts";
import { entriesInUse } from "./process-tree.ts";
import { type ReachableFile, reachableFile } from "./reachable-copy.ts";
import {
  defaultLimits,
  type SandboxDriver,
  type SandboxJob,
  type SandboxOutcome,
  type SandboxProbe,
} from "./sandbox-driver.ts";
import { seccompArchitecture, seccompFilter } from "./seccomp-filter.ts";
import { runWatched } from "./watched-process.ts";

const BWRAP_PLACES = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"];
const SETPRIV_PLACES = ["/usr/bin/setpriv", "/bin/setpriv"];

interface BubblewrapOptions {
  /** The Node binary that runs JavaScript; the one of this process by default. */
  node?: string;
  /** The Python that runs Python; searched for in the usual places by default. */
  python?: PythonInterpreter;
  /** Where bwrap may be; the usual places by default. */
  bwrap?: readonly string[];
}

interface Ready {
  /** Program and arguments that stand before bwrap's own. */
  prefix: string[];
  layout: SandboxLayout;
  filter: Uint8Array;
  node: ReachableFile;
}

/**
 * Namespaces by bubblewrap, a seccomp filter of our own and limits set inside. Works as root (which it gives up
 * first) and as an ordinary user; not where unprivileged user namespaces are forbidden.
 */
export class BubblewrapDriver implements SandboxDriver {
  readonly name = "bubblewrap";
  readonly subprocesses = true;
  readonly #options: BubblewrapOptions;
  #ready: Ready | null = null;

  constructor(options: BubblewrapOptions = {}) {
    this.#options = options;
  }

  async probe(signal: AbortSignal): Promise<SandboxProbe> {
    const parts = await this.#prepare(signal);
    if (typeof parts === "string") return { ok: false, reason: parts };
    let complaint = "";
    for (const mountProc of [true, false]) {
      const ready = { ...parts, layout: { ...parts.layout, mountProc } };
      const outcome = await execute(ready, probeJob(signal));
      if (outcome.verdict === "ok" && outcome.stdout === "ready\n") {
        this.#ready = ready;
        return { ok: true, reason: mountProc ? "works" : "works, without a /proc of its own" };
      }
      complaint = outcome.stderr.trim().split("\n")[0] ?? "";
    }
    await parts.node.close();
    return { ok: false, reason: `bwrap cannot make a sandbox here: ${complaint || "it gave no reason"}` };
  }

  async run(job: SandboxJob): Promise<SandboxOutcome> {
    if (this.#ready === null) {
      throw new ProofroomError({
        code: "sandbox_unavailable",
        message: "The bubblewrap sandbox has not passed its probe.",
      });
    }
    return await execute(this.#ready, job);
  }

  async close(): Promise<void> {
    await this.#ready?.node.close();
    this.#ready = null;
  }

  async #prepare(signal: AbortSignal): Promise<Ready | string> {
    if (process.platform !== "linux") return "bubblewrap needs Linux";
    const architecture = seccompArchitecture(process.arch);
    if (architecture === null) return `there is no seccomp filter for ${process.arch}`;
    const bwrap = await findProgram(this.#options.bwrap ?? BWRAP_PLACES);
    if (bwrap === null) return "bwrap is not installed (package bubblewrap)";
    if (((await stat(bwrap)).mode & 0o6000) !== 0) return `${bwrap} is setuid, which is refused`;
    if ((await findProgram(["/bin/bash"])) === null) return "bash is not installed";
    const python = this.#options.python ?? (await findPython(signal));
    if (python === null) return "no Python 3.9 or newer in the usual places";

    const prefix: string[] = [];
    if (process.getuid?.() === 0) {
      const setpriv = await findProgram(SETPRIV_PLACES);
      if (setpriv === null) return "root needs setpriv (package util-linux) to give up its rights";
      prefix.push(setpriv, "--reuid", "65534", "--regid", "65534", "--clear-groups", "--no-new-privs");
    }
    prefix.push(...(await fixedAddresses(signal)));
    prefix.push(bwrap);

    return {
      prefix,
      filter: seccompFilter(architecture),
      node: await reachableFile(await realpath(this.#options.node ?? process.execPath)),
      layout: {
        python,
        system: await systemFolders(),
        hidden: await visiblePackageFolders(python),
        mountProc: true,
      },
    };
  }
}

async function execute(ready: Ready, job: SandboxJob): Promise<SandboxOutcome> {
  const call = bubblewrapCall(job, ready.layout, ready.node.path, ready.filter);
  const [file, ...args] = [...ready.prefix, ...call.args];
  const outcome = await runWatched({
    file: file as string,
    args,
    inputs: call.inputs,
    limits: job.limits,
    signal: job.signal,
    hasOverfilled: async (pids) =>
      (await entriesOf(pids, job.limits.scratchBytes)) > job.limits.scratchEntries,
  });
  // Status 125 is the launcher's: a limit could not be set, so the program was not started.
  if (outcome.exit === 125 && outcome.stderr.includes("ulimit:")) {
    throw new ProofroomError({
      code: "sandbox_unavailable",
      message: "The sandbox could not set its limits.",
    });
  }
  return outcome;
}

async function entriesOf(pids: readonly number[], bytes: number): Promise<number> {
  const inside = pids.at(-1);
  if (inside === undefined) return 0;
  const counts = await Promise.all(SCRATCH.map((folder) => entriesInUse(inside, folder, bytes)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function visiblePackageFolders(python: PythonInterpreter): Promise<string[]> {
  const shown = ["/usr/", `${python.prefix}/`];
  const found: string[] = [];
  for (const folder of python.packages) {
    const facts = await stat(folder).catch(() => null);
    if (facts?.isDirectory() && shown.some((prefix) => folder.startsWith(prefix))) found.push(folder);
  }
  return found;
}

function probeJob(signal: AbortSignal): SandboxJob {
  return {
    files: [{ path: "probe.py", content: 'print("ready")\n' }],
    command: "python",
    args: ["-B", "-u", "-s", { file: "probe.py" }],
    limits: defaultLimits,
    signal,
  };
}
