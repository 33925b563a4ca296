import { spawn } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ProofroomError } from "@proofroom/contracts";
import { askedToWait } from "./access-error.ts";

/** What every call of git in one ingestion shares. */
export interface GitSetting {
  /** A folder of ours: where git runs, and its home. */
  folder: string;
  /** Passed on to git: PATH, and what the machine needs to reach the network. */
  environment: Readonly<Record<string, string>>;
  /** `https`, or `http` where the address is one and its host is allowed. */
  protocol: "http" | "https";
  /** Further settings as `name=value`. */
  config?: readonly string[];
  /** A header that git sends to one server. It is never on a command line nor in a file. */
  header?: GitHeader;
  signal: AbortSignal;
  /** When all calls together have had their time, by `performance.now()`. */
  endsAt: number;
  /** The folder may not grow beyond so many bytes. */
  maxBytes: number;
  /** What each process of git may take of address space. */
  maxMemoryBytes: number;
}

export interface GitHeader {
  /** Scheme, host and port of the server. */
  origin: string;
  /** `Name: value`. */
  line: { reveal(): string };
}

/**
 * Git ended with an error. What it printed is never kept: it holds text of the host. Where nothing better is
 * known, that is a host that could not be reached.
 */
export class GitError extends ProofroomError {
  constructor(command: string, exitCode: number | null) {
    super({
      code: "unreachable",
      message: "The repository could not be fetched.",
      cause: `git ${command} ended with ${exitCode}`,
    });
  }
}

/** Nothing of the machine's or the repository's configuration takes part, and no helper is started. */
const hardened = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.symlinks=false",
  "core.protectHFS=true",
  "core.protectNTFS=true",
  "core.autocrlf=false",
  "submodule.recurse=false",
  "protocol.ext.allow=never",
  "credential.helper=",
  "http.followRedirects=false",
  "gc.auto=0",
  "maintenance.auto=false",
  // What keeps it within its memory whatever the machine and the repository are like.
  "pack.threads=2",
  "core.packedGitWindowSize=32m",
  "core.packedGitLimit=256m",
  "core.bigFileThreshold=32m",
];

const maxOutput = 64 * 1024 * 1024;
const maxErrors = 16 * 1024;

/** Git holds in memory whatever list of refs a server sends. Where a system knows no such limit there is none. */
const limited = 'ulimit -v "$1" 2>/dev/null; shift; exec git "$@"';

/**
 * Runs git and answers what it printed. An abort, the time-out and a folder that grows too large kill git with
 * all its children.
 * @param input what git reads
 * @throws GitError; ProofroomError timeout, too_large (also for want of memory), unreachable (the host asks to wait),
 *   not_configured (no git); or the signal's reason
 */
export async function runGit(args: readonly string[], setting: GitSetting, input = ""): Promise<string> {
  setting.signal.throwIfAborted();
  const config = [...hardened, ...(setting.config ?? [])].flatMap((entry) => ["-c", entry]);
  const memory = String(Math.floor(setting.maxMemoryBytes / 1024));
  const child = spawn("/bin/sh", ["-c", limited, "git", memory, ...config, ...args], {
    cwd: setting.folder,
    env: environmentOf(setting),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  child.stdin.on("error", () => {}).end(input);
  let errors = "";
  child.stderr.setEncoding("latin1").on("data", (chunk: string) => {
    errors = (errors + chunk).slice(-maxErrors);
  });
  const settled = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxOutput) settled.reject(tooLarge());
    else chunks.push(chunk);
  });
  const closed = new Promise<void>((resolve) => {
    child.once("close", (code) => {
      if (code === 0) settled.resolve(Buffer.concat(chunks).toString("utf8"));
      else settled.reject(failure(args, code, errors));
      resolve();
    });
    child.once("error", (error) => {
      settled.reject(noGit(error));
      if (child.pid === undefined) resolve();
    });
  });
  const onAbort = () => settled.reject(setting.signal.reason);
  setting.signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => settled.reject(tooSlow()), Math.max(setting.endsAt - performance.now(), 0));
  const watch = setInterval(async () => {
    if ((await sizeOf(setting.folder)) > setting.maxBytes) settled.reject(tooLarge());
  }, 200);
  try {
    return await settled.promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    setting.signal.removeEventListener("abort", onAbort);
    if (child.pid !== undefined) killGroup(child.pid);
    await closed;
  }
}

/** What git printed on its way out tells little, and is foreign text: it is looked at, and forgotten. */
function failure(args: readonly string[], code: number | null, errors: string): ProofroomError {
  if (code === 127) return noGit();
  if (/^fatal: (?:out of memory|mmap failed)|cannot allocate memory/im.test(errors)) return tooLarge();
  if (/^(?:fatal|error): .*returned error: 429\b/m.test(errors)) return askedToWait(null);
  return new GitError(args.find((word) => !word.startsWith("-")) ?? "", code);
}

function environmentOf({ environment, folder, protocol, header }: GitSetting): Record<string, string> {
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    ...environment,
    HOME: folder,
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "/bin/false",
    SSH_ASKPASS: "/bin/false",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_CEILING_DIRECTORIES: folder,
    ...(header === undefined
      ? { GIT_CONFIG_COUNT: "0" }
      : {
          GIT_CONFIG_COUNT: "1",
          GIT_CONFIG_KEY_0: `http.${header.origin}/.extraHeader`,
          GIT_CONFIG_VALUE_0: header.line.reveal(),
        }),
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The whole group has ended already.
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    // Git renames its temporary files while they are counted.
    if (entry.isFile())
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      );
  }
  return bytes;
}

export function tooLarge(): ProofroomError {
  return new ProofroomError({
    code: "too_large",
    message: "The repository is larger than may be fetched.",
    remedy: "Give the address of a smaller repository, or of the files that matter.",
  });
}

function tooSlow(): ProofroomError {
  return new ProofroomError({
    code: "timeout",
    message: "Fetching the repository took too long.",
    remedy: "Give a local clone of it, or the addresses of the files that matter.",
    // Another try would take as long again.
    disposition: { kind: "fail" },
  });
}

function noGit(cause?: Error): ProofroomError {
  return new ProofroomError({
    code: "not_configured",
    message: "Git could not be started.",
    remedy: "Install git where this service runs.",
    ...(cause === undefined ? {} : { cause }),
  });
}
