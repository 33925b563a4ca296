import { Writable } from "node:stream";
import type { ObjectStore } from "@proofroom/artifacts";
import { noTracing, silentLogger } from "@proofroom/telemetry";
import type { CommandContext } from "../commands/context.ts";
import { createTerminal } from "../output/terminal.ts";
import { readSettings } from "../settings.ts";

export interface TestContext {
  context: CommandContext;
  stdout(): string;
  stderr(): string;
}

/** What a command gets, in a folder that is the user's and the checkout at once; what it says is kept. */
export function commandContext(options: {
  folder: string;
  store: ObjectStore;
  json?: boolean;
  env?: Readonly<Record<string, string>>;
}): TestContext {
  const { folder, store, json = false, env = {} } = options;
  const written = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof written) =>
    new Writable({
      write(chunk, _encoding, done) {
        written[name] += String(chunk);
        done();
      },
    });
  const context: CommandContext = {
    settings: readSettings(env, { cwd: folder, checkout: folder }),
    terminal: createTerminal({ stdout: sink("stdout"), stderr: sink("stderr"), json, events: false }),
    log: silentLogger(),
    signal: new AbortController().signal,
    store: async () => store,
    tracing: async () => noTracing,
    typed: (command) => `proofroom ${command}`,
  };
  return { context, stdout: () => written.stdout, stderr: () => written.stderr };
}
