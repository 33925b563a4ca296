import { Writable } from "node:stream";

export interface ProtocolOutput {
  /** What is written here alone reaches the real output. */
  readonly output: Writable;
  /** Gives the stream back as it was. */
  release(): void;
}

/**
 * Takes a process's stdout for a protocol: whatever else is written to it, by a library or by `console`, goes to
 * `others` instead, where it cannot break a message.
 */
export function claimOutput(stdout: Writable, others: Writable): ProtocolOutput {
  const { write } = stdout;
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void write.call(stdout, chunk, encoding, done),
  });
  // It stays: a reader that is gone must not end the process before it has closed what it opened.
  stdout.on("error", (error: Error) => void output.destroy(error));
  stdout.write = others.write.bind(others) as typeof write;
  return {
    output,
    release() {
      stdout.write = write;
    },
  };
}
