import { lstat, readlink } from "node:fs/promises";
import type { PythonInterpreter } from "./interpreters.ts";
import { type SandboxJob, sandboxEnvironment } from "./sandbox-driver.ts";

/** Paths as programs in the sandbox see them. */
const WORK = "/work";
/** The writable folders. */
export const SCRATCH = [WORK, "/tmp", "/dev/shm"] as const;
const FILES = "/snippet";
const NODE = "/opt/node/bin/node";

/** Parts of the host's root that programs need beside /usr: links into it, or folders where it is not merged. */
const SYSTEM_FOLDERS = ["bin", "sbin", "lib", "lib32", "lib64"];

const HOSTS = "127.0.0.1 localhost\n::1 localhost\n";
const NAME_SERVICE = "hosts: files dns\n";

export interface SandboxLayout {
  /** Arguments for the links and folders beside /usr. */
  system: readonly string[];
  python: PythonInterpreter;
  /** Package folders to be hidden that exist below folders shown. */
  hidden: readonly string[];
  /** A fresh /proc can be mounted (not so in most containers). */
  mountProc: boolean;
}

/** How the host's system folders are shown inside. */
export async function systemFolders(): Promise<string[]> {
  const args: string[] = [];
  for (const name of SYSTEM_FOLDERS) {
    const facts = await lstat(`/${name}`).catch(() => null);
    if (facts?.isSymbolicLink()) args.push("--symlink", await readlink(`/${name}`), `/${name}`);
    else if (facts?.isDirectory()) args.push("--ro-bind", `/${name}`, `/${name}`);
  }
  return args;
}

interface BubblewrapCall {
  args: string[];
  /** What bwrap reads from descriptors 3, 4, … */
  inputs: (string | Uint8Array)[];
}

/** The whole command line for one job, the seccomp filter on descriptor 3. `node` is the host path of the binary. */
export function bubblewrapCall(
  job: SandboxJob,
  layout: SandboxLayout,
  node: string,
  filter: Uint8Array,
): BubblewrapCall {
  const inputs: (string | Uint8Array)[] = [filter];
  const data = (content: string, path: string) => {
    inputs.push(content);
    return ["--ro-bind-data", String(2 + inputs.length), path];
  };
  const size = (bytes: number) => ["--size", String(bytes)];
  const { python } = layout;
  const ownPrefix = python.prefix === "/usr" || python.prefix.startsWith("/usr/");
  const environment = Object.entries(sandboxEnvironment(WORK));
  const args = [
    ...["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"],
    ...["--unshare-cgroup-try", "--die-with-parent", "--new-session"],
    ...["--uid", "65534", "--gid", "65534", "--cap-drop", "ALL", "--hostname", "sandbox"],
    "--clearenv",
    ...environment.flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--ro-bind", "/usr", "/usr"],
    ...layout.system,
    ...(ownPrefix ? [] : ["--ro-bind", python.prefix, python.prefix]),
    ...layout.hidden.flatMap((folder) => [...size(4096), "--tmpfs", folder, "--remount-ro", folder]),
    ...["--ro-bind-try", "/etc/alternatives", "/etc/alternatives"],
    ...["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"],
    ...data(HOSTS, "/etc/hosts"),
    ...data(NAME_SERVICE, "/etc/nsswitch.conf"),
    ...(layout.mountProc ? ["--proc", "/proc"] : []),
    ...["--dev", "/dev", "--remount-ro", "/dev"],
    ...SCRATCH.flatMap((folder) => [...size(job.limits.scratchBytes), "--tmpfs", folder]),
    ...(job.command === "node" ? ["--ro-bind", node, NODE] : []),
    ...job.files.flatMap((file) => data(file.content, `${FILES}/${file.path}`)),
    ...["--remount-ro", "/", "--chdir", WORK, "--seccomp", "3", "--"],
    ...limitedCommand(job, job.command === "node" ? NODE : python.path),
  ];
  return { args, inputs };
}

/**
 * Limits are set inside: there a limit on processes counts the sandbox alone, outside it would count every process of
 * the user. Descriptors that leaked into this service are closed, since no namespace takes them away.
 */
function limitedCommand(job: SandboxJob, program: string): string[] {
  const { limits } = job;
  const KiB = 1024;
  const script = [
    "ulimit -c 0 && ulimit -l 0",
    `ulimit -u ${limits.processes} && ulimit -n ${limits.openFiles}`,
    `ulimit -f ${Math.ceil(limits.fileBytes / KiB)} && ulimit -v ${Math.ceil(limits.addressSpaceBytes[job.command] / KiB)}`,
    `ulimit -t ${cpuSeconds(limits.wallMs)}`,
  ].join(" && ");
  const closing =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter expansion of the shell
    'if [ -d /proc/self/fd ]; then set -- /proc/self/fd/*; else set -- {3..1023}; fi; for f; do f=${f##*/}; if ((f > 2)); then eval "exec $f>&-"; fi; done';
  const launcher = `${script} || exit 125; run=("$@"); ${closing}; export -n PWD OLDPWD SHLVL; exec "\${run[@]}"`;
  return [
    ...["/bin/bash", "--noprofile", "--norc", "-c", launcher, "sandbox", program],
    ...job.args.map((argument) => (typeof argument === "string" ? argument : `${FILES}/${argument.file}`)),
  ];
}

/** Enough for every core to be busy all the time: the wall clock decides, this is for when nobody watches. */
function cpuSeconds(wallMs: number): number {
  return Math.ceil(wallMs / 1000) * 8;
}
