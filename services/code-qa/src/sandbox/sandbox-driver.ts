/** The programs a sandbox can start. */
type SandboxCommand = "python" | "node";

export interface SandboxLimits {
  /** Wall time of the whole job, in milliseconds. */
  wallMs: number;
  /** Resident memory of all processes of the job together, in bytes. */
  memoryBytes: number;
  /** Address space of one process, in bytes, by command: V8 reserves far more than it uses. */
  addressSpaceBytes: Readonly<Record<SandboxCommand, number>>;
  /** Processes and threads at one time. */
  processes: number;
  /** Size of one file, in bytes. */
  fileBytes: number;
  /** Size of the working directory, and of the other writable folders each, in bytes. */
  scratchBytes: number;
  /** Files and folders in the working directory. */
  scratchEntries: number;
  openFiles: number;
  /** What is kept of each output stream, in bytes; more is read and dropped. */
  outputBytes: number;
  /** Both output streams together, in bytes: beyond it the job is killed. */
  floodBytes: number;
}

const MiB = 1024 * 1024;

export const defaultLimits: Readonly<SandboxLimits> = Object.freeze({
  wallMs: 5_000,
  memoryBytes: 600 * MiB,
  addressSpaceBytes: Object.freeze({ python: 1024 * MiB, node: 4096 * MiB }),
  processes: 64,
  fileBytes: 16 * MiB,
  scratchBytes: 64 * MiB,
  scratchEntries: 20_000,
  openFiles: 128,
  outputBytes: MiB,
  floodBytes: 32 * MiB,
});

/** A file of the job, read-only inside the sandbox and outside its working directory. */
export interface SandboxFile {
  /** A plain file name. */
  path: string;
  content: string;
}

export interface SandboxJob {
  files: readonly SandboxFile[];
  command: SandboxCommand;
  /** An argument as it is, or the path that one of `files` has inside the sandbox. */
  args: readonly (string | { file: string })[];
  limits: SandboxLimits;
  signal: AbortSignal;
}

type SandboxVerdict = "ok" | "error" | "timeout" | "oom" | "output_limit" | "signal";

export interface SandboxOutcome {
  verdict: SandboxVerdict;
  /** Exit status; null where there was none (killed at a limit). */
  exit: number | null;
  /** Name of the signal that ended the program by its own doing. */
  signal: string | null;
  stdout: string;
  /** Where it was cut, its beginning and its end. */
  stderr: string;
  /** Output was dropped, of either stream. */
  truncated: boolean;
  ms: number;
}

export interface SandboxProbe {
  ok: boolean;
  /** Why not, in one line; what was found where it is usable. */
  reason: string;
}

/**
 * Runs untrusted programs: without network, environment or files of the host, in an empty writable working
 * directory that is also HOME and TMPDIR, with nothing on stdin, and leaves nothing behind.
 */
export interface SandboxDriver {
  readonly name: string;
  /** Whether programs may start further programs and open sockets of their own. */
  readonly subprocesses: boolean;
  /** Whether this machine can run jobs at all. Says nothing about safety: see `selfTest`. */
  probe(signal: AbortSignal): Promise<SandboxProbe>;
  /** @throws ProofroomError `cancelled` when aborted, `sandbox_unavailable` when the sandbox could not be set up */
  run(job: SandboxJob): Promise<SandboxOutcome>;
  /** Removes what the driver keeps between jobs. */
  close(): Promise<void>;
}

/** The environment of every job: only what interpreters need. `home` is the working directory. */
export function sandboxEnvironment(home: string): Record<string, string> {
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: home,
    TMPDIR: home,
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    PYTHONHASHSEED: "0",
    PYTHONUTF8: "1",
    // UTF-8 mode alone would let lone surrogates through, which a reader's terminal does not.
    PYTHONIOENCODING: "utf-8:strict",
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONNOUSERSITE: "1",
    OPENBLAS_NUM_THREADS: "1",
  };
}
