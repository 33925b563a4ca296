import type { Writable } from "node:stream";
import { plainText } from "./plain-text.ts";

export interface TerminalOptions {
  stdout: Writable;
  stderr: Writable;
  /** The final value goes to stdout as JSON, and nothing else does. */
  json: boolean;
  /** Events go to stdout as NDJSON. */
  events: boolean;
}

/** Where a command's words go: results to stdout, everything else to stderr. */
export interface Terminal {
  readonly json: boolean;
  readonly events: boolean;
  /** True where stderr is a terminal that lines can be redrawn on. */
  readonly live: boolean;
  readonly columns: number;
  /** A line for a person about what goes on. */
  note(line: string): void;
  /** Rewrites the last lines of a live terminal. */
  write(text: string): void;
  /** The command's result: the value with `--json`, else the text. */
  result(value: unknown, text: string): void;
  event(value: unknown): void;
}

export function createTerminal(options: TerminalOptions): Terminal {
  const stderr = options.stderr as Writable & { isTTY?: boolean; columns?: number };
  return {
    json: options.json,
    events: options.events,
    live: stderr.isTTY === true && !options.events,
    get columns() {
      return stderr.columns ?? 80;
    },
    note: (line) => void stderr.write(`${plainText(line)}\n`),
    write: (text) => void stderr.write(text),
    result(value, text) {
      if (options.json) options.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
      else if (options.events)
        options.stdout.write(`${JSON.stringify({ v: 1, type: "result", ...(value as object) })}\n`);
      else if (text !== "") options.stdout.write(`${plainText(text)}\n`);
    },
    event: (value) => void options.stdout.write(`${JSON.stringify(value)}\n`),
  };
}
