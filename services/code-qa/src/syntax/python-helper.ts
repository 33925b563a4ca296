import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { PythonInterpreter } from "../sandbox/interpreters.ts";

const PROGRAM = fileURLToPath(new URL("./python-helper.py", import.meta.url));
/** Longest time for one answer, in milliseconds. */
const PATIENCE = 10_000;

const lineSchema = z.object({ id: z.int(), reply: z.record(z.string(), z.unknown()) });

const syntaxSchema = z.object({
  syntax: z.enum(["valid", "invalid", "needs_python"]),
  error: z.string().nullable(),
  line: z.int().nullable(),
});
type PythonSyntax = z.infer<typeof syntaxSchema>;

const namesSchema = z.object({
  bound: z.array(z.string()),
  read: z.array(z.string()),
  ends_with_expression: z.boolean(),
});
/** Names that a block binds at its top level and reads anywhere. */
type PythonNames = z.infer<typeof namesSchema>;

interface PythonSource {
  code: string;
  /** `>>>` examples rather than a script. */
  transcript: boolean;
}

interface Waiting {
  id: number;
  settle(reply: Record<string, unknown> | null): void;
}

/**
 * A Python process that parses and compiles, and never runs, what it is given. It is started by the first question and
 * again after it died (some sources crash the parser), ignores the environment and imports nothing from outside
 * its standard library. One question at a time is in its hands; its owner closes it.
 */
export class PythonHelper {
  readonly #python: PythonInterpreter;
  #child: ChildProcessWithoutNullStreams | null = null;
  #waiting: Waiting | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #nextId = 1;

  constructor(python: PythonInterpreter) {
    this.#python = python;
  }

  /** Whether it compiles. Code on which the parser gives up is invalid. */
  async syntax(source: PythonSource, signal: AbortSignal): Promise<PythonSyntax> {
    const reply = await this.#ask("syntax", source, signal);
    const parsed = syntaxSchema.safeParse(reply);
    return parsed.success
      ? parsed.data
      : { syntax: "invalid", error: "SyntaxError: too complex to be compiled", line: 1 };
  }

  async names(source: PythonSource, signal: AbortSignal): Promise<PythonNames> {
    const parsed = namesSchema.safeParse(await this.#ask("names", source, signal));
    return parsed.success ? parsed.data : { bound: [], read: [], ends_with_expression: false };
  }

  /** Whether every example of a transcript carries the directive `# doctest: +SKIP`. */
  async allSkipped(code: string, signal: AbortSignal): Promise<boolean> {
    const reply = await this.#ask("skipped", { code, transcript: true }, signal);
    return reply?.["skipped"] === true;
  }

  /** Ends the process and waits until it is gone. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
    child.kill("SIGKILL");
    await gone;
  }

  /** The answer, or null where the process died or took too long over it. */
  #ask(question: string, source: PythonSource, signal: AbortSignal): Promise<Record<string, unknown> | null> {
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      return this.#exchange(question, source, signal);
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #exchange(
    question: string,
    source: PythonSource,
    signal: AbortSignal,
  ): Promise<Record<string, unknown> | null> {
    const child = this.#child ?? this.#start();
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      const finish = () => {
        clearTimeout(clock);
        signal.removeEventListener("abort", onAbort);
        this.#waiting = null;
      };
      const onAbort = () => {
        finish();
        child.kill("SIGKILL");
        this.#child = null;
        reject(signal.reason);
      };
      const clock = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting = {
        id,
        settle: (reply) => {
          finish();
          resolve(reply);
        },
      };
      const request = { id, question, code: source.code, transcript: source.transcript };
      child.stdin.write(`${JSON.stringify(request)}\n`);
    });
  }

  #start(): ChildProcessWithoutNullStreams {
    const child = spawn(this.#python.path, ["-I", "-S", "-B", "-X", "utf8", "-W", "ignore", PROGRAM], {
      cwd: "/",
      env: {},
    });
    this.#child = child;
    child.stdin.on("error", () => undefined);
    child.stderr.resume();
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { id, reply } = lineSchema.parse(JSON.parse(line));
      // An answer may come after its question was given up.
      if (this.#waiting?.id === id) this.#waiting.settle(reply);
    });
    const onGone = () => {
      if (this.#child !== child) return;
      this.#child = null;
      this.#waiting?.settle(null);
    };
    child.once("error", onGone);
    child.once("close", onGone);
    return child;
  }
}
