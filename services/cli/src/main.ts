import { fileURLToPath } from "node:url";
import type { ObjectStore } from "@proofroom/artifacts";
import { createLogger } from "@proofroom/telemetry";
import packageJson from "../package.json" with { type: "json" };
import type { CommandContext } from "./commands/context.ts";
import { openStore } from "./host/open-store.ts";
import { exitCodeOf, failureText, publicErrorOf } from "./output/failure.ts";
import { createTerminal } from "./output/terminal.ts";
import { buildProgram } from "./program.ts";
import { readSettings } from "./settings.ts";

const interruption = new AbortController();
// One Ctrl-C reaches the whole process group and comes once more through npm and the launcher.
const sameKeypress = 1_000;
/** How long what was written may then take to be read, in milliseconds. */
const readersPatience = 1_000;
let interrupted: number | undefined;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    if (interrupted !== undefined && Date.now() - interrupted > sameKeypress) process.exit(130);
    interrupted ??= Date.now();
    interruption.abort(new DOMException("interrupted", "AbortError"));
  });
}

let opened: ObjectStore | undefined;

/** Makes something when it is first asked for; again where that failed. */
function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What helps whoever mends it: the place, and only where it was asked for, since foreign words may stand in it. */
function internalNote(thrown: unknown): string {
  if (process.env["PROOFROOM_LOG"] !== "debug")
    return "  fix: Run it again with PROOFROOM_LOG=debug and report what it shows.";
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return String(error.cause instanceof Error ? error.cause.stack : error.stack);
}

/** Runs one command with its context, shows its error, and leaves with its exit code. */
async function run(
  flags: { json?: boolean; events?: boolean },
  command: (context: CommandContext) => Promise<number>,
) {
  const terminal = createTerminal({
    stdout: process.stdout,
    stderr: process.stderr,
    json: flags.json === true,
    events: flags.events === true,
  });
  const settings = once(() =>
    readSettings(process.env, {
      cwd: process.cwd(),
      checkout: fileURLToPath(new URL("../../..", import.meta.url)),
    }),
  );
  const log = once(() => createLogger({ level: settings().logLevel, destination: process.stderr }));
  try {
    process.exitCode = await command({
      get settings() {
        return settings();
      },
      get log() {
        return log();
      },
      terminal,
      signal: interruption.signal,
      async store() {
        opened ??= await openStore(settings());
        return opened;
      },
    });
  } catch (thrown) {
    const error = publicErrorOf(thrown);
    terminal.note(failureText(error));
    if (error.code === "internal") terminal.note(internalNote(thrown));
    terminal.result({ error }, "");
    process.exitCode = exitCodeOf(error);
  } finally {
    await opened?.close();
  }
  // Whatever a library left open must not keep a finished command alive.
  await new Promise<void>((resolve) => {
    process.stdout.write("", () => resolve());
    // Neither must a reader that takes nothing, once the command was told to end.
    const leave = () => void setTimeout(resolve, readersPatience);
    if (interruption.signal.aborted) leave();
    else interruption.signal.addEventListener("abort", leave, { once: true });
  });
  process.exit();
}

await buildProgram(run, packageJson.version).parseAsync(process.argv);
