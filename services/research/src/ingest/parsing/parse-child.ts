import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ProofroomError, type ProofroomErrorOptions, type PublicError } from "@proofroom/contracts";
import type { WorkOutcome } from "./work-outcome.ts";

export interface ParseRequest {
  /** URL of the module whose `work` is run. */
  module: string;
  payload: unknown;
}

/** What a child answers: what came of the work, and how large it has grown. */
export type ParseReply = WorkOutcome & { rssBytes: number };

/** What a child sends: once that it can be given work, then its answers. */
export type ChildMessage = "ready" | ParseReply;

/** A child ended, or its parser failed: of one that has read other inputs before, that says nothing sure about this one. */
export class LostChild extends ProofroomError {}

/** A child ended, and nothing says why: it may have been the input, and somebody may have ended it. */
export class EndedChild extends LostChild {}

/** A child that has read so many documents, or grown so large, is not given another. */
const mostJobs = 100;
const mostRssBytes = 400 * 1024 * 1024;

/**
 * A process that parses one document after the other. It has no environment variables, may read files but neither
 * write them nor start processes, and what it prints is dropped. It ends with its owner.
 */
export class ParseChild {
  readonly maxOldSpaceMb: number;
  /** Resolves when the process is gone, whoever ended it. */
  readonly exited: Promise<void>;
  readonly #process: ChildProcess;
  #jobs = 0;
  #isSound = true;
  #isReady = false;
  #onReply: ((reply: ParseReply) => void) | null = null;
  #onLost: ((error: LostChild) => void) | null = null;

  constructor(maxOldSpaceMb: number) {
    this.maxOldSpaceMb = maxOldSpaceMb;
    const entry = fileURLToPath(new URL("./parse-child-entry.ts", import.meta.url));
    this.#process = fork(entry, [String(process.pid)], {
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
    this.#process.on("message", (message: ChildMessage) => {
      if (message === "ready") this.#isReady = true;
      else this.#onReply?.(message);
    });
    this.exited = new Promise((resolve) => {
      this.#process.once("error", (error) => {
        this.#lose(lost(error));
        if (this.#process.pid === undefined) resolve();
      });
      this.#process.once("exit", (code, killedBy) => {
        this.#lose(this.#endedWith(killedBy ?? code));
        resolve();
      });
    });
  }

  /** Whether it has read a document before. */
  get isUsed(): boolean {
    return this.#jobs > 0;
  }

  /** Whether it may be given another document. */
  get isFit(): boolean {
    return this.#isSound && this.#jobs < mostJobs;
  }

  /**
   * Runs one request; one at a time. Whatever ends it other than an answer leaves the child unfit: end it then.
   * @throws what `work` threw, where that is ours; LostChild; `timeout`; or the signal's reason
   */
  async run(request: ParseRequest, limits: { signal: AbortSignal; timeoutMs: number }): Promise<unknown> {
    limits.signal.throwIfAborted();
    const answered = Promise.withResolvers<ParseReply>();
    const onAbort = () => answered.reject(limits.signal.reason);
    limits.signal.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(() => answered.reject(tooSlow()), limits.timeoutMs);
    this.#jobs += 1;
    this.#isSound = false;
    this.#onLost = answered.reject;
    this.#onReply = answered.resolve;
    try {
      this.#process.send(request, (error) => {
        if (error !== null) answered.reject(lost(error));
      });
      const reply = await answered.promise;
      if ("fault" in reply) throw lost(reply.fault);
      if ("crash" in reply) throw new LostChild(unreadable(reply.crash));
      this.#isSound = reply.rssBytes <= mostRssBytes;
      if ("error" in reply) throw fromPublic(reply.error);
      return reply.value;
    } finally {
      clearTimeout(timer);
      limits.signal.removeEventListener("abort", onAbort);
      this.#onReply = null;
      this.#onLost = null;
    }
  }

  /** Ends it, whatever it is doing. */
  async end(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.exited;
  }

  #endedWith(how: NodeJS.Signals | number | null): LostChild {
    // V8 aborts when the heap is full; a kill that is not ours is the system's, for want of memory.
    if (how === "SIGABRT" || how === "SIGKILL") return tooHungry();
    const cause = `the child ended with ${how}`;
    // One that could not even start has seen no input.
    return this.#isReady ? new EndedChild(unreadable(cause)) : lost(cause);
  }

  #lose(error: LostChild): void {
    this.#isSound = false;
    this.#onLost?.(error);
  }
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

function tooHungry(): LostChild {
  return new LostChild({
    code: "too_large",
    message: "The input needs more memory to read than it may have.",
    remedy: "Give a smaller or simpler file.",
  });
}

/** The parser gave up, and does not say why in words that could be shown. */
function unreadable(cause: string): ProofroomErrorOptions {
  return {
    code: "invalid_input",
    message: "The input is malformed: its parser gave up on it.",
    remedy: "Save it again, or give its text as Markdown or plain text.",
    cause,
  };
}

function lost(cause: unknown): LostChild {
  return new LostChild({
    code: "internal",
    message: "The process that reads inputs could not be used.",
    cause,
  });
}
