import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ProofroomError, type PublicError } from "@proofroom/contracts";

export interface WorkerLimits {
  signal: AbortSignal;
  /** After so many milliseconds the worker is killed and the input given up. */
  timeoutMs: number;
  /** Heap of the worker in MB. Buffers lie outside of the heap: what inflates must count its bytes itself. */
  maxOldSpaceMb: number;
}

/** What the worker answers: the value of `work`, or the public part of the error it threw. */
export type WorkerReply = { value: unknown } | { error: PublicError } | { crash: string };

/**
 * Runs the exported function `work(payload)` of a module in a process of its own, which an abort, the time-out
 * and the heap limit end whatever it is doing. It is a process and no thread because a thread that outgrows its
 * heap can take the whole process with it. Payload and result are structured clones. The worker has no
 * environment variables, may read files but neither write them nor start processes, and what it prints is dropped.
 * @param moduleUrl a module of this repository: `export function work(payload: unknown): T | Promise<T>`
 * @throws ProofroomError as `work` threw it; `timeout` and `too_large` (both final: the same input would end
 *   the same way); `internal` for any other error; or the signal's reason
 */
export async function runInWorker<T>(moduleUrl: URL, payload: unknown, limits: WorkerLimits): Promise<T> {
  limits.signal.throwIfAborted();
  const child = startWorker(limits.maxOldSpaceMb);
  const settled = Promise.withResolvers<T>();
  const exited = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      settled.reject(crashed(error));
      if (child.pid === undefined) resolve();
    });
    child.once("exit", (code, killedBy) => {
      // V8 aborts when the heap is full; a kill that is not ours is the system's, for want of memory.
      if (killedBy === "SIGABRT" || killedBy === "SIGKILL") settled.reject(tooHungry());
      else settled.reject(crashed(`the worker ended with ${killedBy ?? code}`));
      resolve();
    });
  });
  const onAbort = () => settled.reject(limits.signal.reason);
  limits.signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => settled.reject(tooSlow()), limits.timeoutMs);
  child.once("message", (reply: WorkerReply) => {
    if ("value" in reply) settled.resolve(reply.value as T);
    else settled.reject("error" in reply ? fromPublic(reply.error) : crashed(reply.crash));
  });
  child.send({ module: moduleUrl.href, payload }, (error) => {
    if (error !== null) settled.reject(crashed(error));
  });
  try {
    return await settled.promise;
  } finally {
    clearTimeout(timer);
    limits.signal.removeEventListener("abort", onAbort);
    child.kill("SIGKILL");
    await exited;
  }
}

function startWorker(maxOldSpaceMb: number): ChildProcess {
  return fork(fileURLToPath(new URL("./parse-worker-entry.ts", import.meta.url)), {
    env: {},
    execArgv: [
      `--max-old-space-size=${maxOldSpaceMb}`,
      "--permission",
      "--allow-fs-read=*",
      "--allow-worker",
      "--no-warnings",
    ],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

function fromPublic({ code, message, remedy }: PublicError): ProofroomError {
  return new ProofroomError({ code, message, ...(remedy === undefined ? {} : { remedy }) });
}

function tooSlow(): ProofroomError {
  return new ProofroomError({
    code: "timeout",
    message: "The input took too long to read.",
    remedy: "Give a smaller or simpler file.",
    disposition: { kind: "fail" },
  });
}

function tooHungry(): ProofroomError {
  return new ProofroomError({
    code: "too_large",
    message: "The input needs more memory to read than it may have.",
    remedy: "Give a smaller or simpler file.",
  });
}

function crashed(cause: unknown): ProofroomError {
  return new ProofroomError({ code: "internal", message: "The input could not be read.", cause });
}
