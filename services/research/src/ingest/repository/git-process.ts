import { spawn } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ProofroomError } from "@proofroom/contracts";

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
  signal: AbortSignal;
  timeoutMs: number;
  /** The folder may not grow beyond so many bytes. */
  maxBytes: number;
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
];

const maxOutput = 64 * 1024 * 1024;

/**
 * Runs git and answers what it printed. An abort, the time-out and a folder that grows too large kill git with
 * all its children.
 * @throws GitError; ProofroomError timeout, too_large, not_configured (no git); or the signal's reason
 */
export async function runGit(args: readonly string[], setting: GitSetting): Promise<string> {
  setting.signal.throwIfAborted();
  const config = [...hardened, ...(setting.config ?? [])].flatMap((entry) => ["-c", entry]);
  const child = spawn("git", [...config, ...args], {
    cwd: setting.folder,
    env: environmentOf(setting),
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
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
      else settled.reject(new GitError(args.find((word) => !word.startsWith("-")) ?? "", code));
      resolve();
    });
    child.once("error", (error) => {
      settled.reject(noGit(error));
      if (child.pid === undefined) resolve();
    });
  });
  const onAbort = () => settled.reject(setting.signal.reason);
  setting.signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => settled.reject(tooSlow()), setting.timeoutMs);
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

function environmentOf({ environment, folder, protocol }: GitSetting): Record<string, string> {
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    ...environment,
    HOME: folder,
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "/bin/false",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_CEILING_DIRECTORIES: folder,
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

function noGit(cause: Error): ProofroomError {
  return new ProofroomError({
    code: "not_configured",
    message: "Git could not be started.",
    remedy: "Install git where this service runs.",
    cause,
  });
}
