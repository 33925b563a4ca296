import { fileURLToPath } from "node:url";
import type { ObjectStore } from "@proofroom/artifacts";
import { interruptionOf, openStore, openTracing } from "@proofroom/hosting/program";
import { createLogger, logFields, noTracing, type Tracing } from "@proofroom/telemetry";
import packageJson from "../package.json" with { type: "json" };
import type { CommandContext } from "./commands/context.ts";
import { exitCodeOf, failureText, publicErrorOf } from "./output/failure.ts";
import { createTerminal } from "./output/terminal.ts";
import { buildProgram } from "./program.ts";
import { readSettings } from "./settings.ts";
import { typedAs } from "./typed-as.ts";

const interruption = interruptionOf(process);
// Whoever reads may go away, as `head` does: the work goes on without them.
for (const output of [process.stdout, process.stderr]) {
  output.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
const places = { cwd: process.cwd(), checkout: fileURLToPath(new URL("../../..", import.meta.url)) };
const typed = typedAs(process.env, places);
/** How long what was written may take to be read once the command was told to end, in milliseconds. */
const readersPatience = 1_000;

let opened: ObjectStore | undefined;
let tracing: Tracing = noTracing;

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
  flags: { json?: boolean; events?: boolean; record?: string },
  command: (context: CommandContext) => Promise<number>,
) {
  const terminal = createTerminal({
    stdout: process.stdout,
    stderr: process.stderr,
    json: flags.json === true,
    events: flags.events === true,
  });
  const env = flags.record === undefined ? process.env : { ...process.env, PROOFROOM_RECORD: flags.record };
  const settings = once(() => readSettings(env, places));
  const fields = () => logFields(tracing.ids());
  const log = once(() => createLogger({ level: settings().logLevel, destination: process.stderr, fields }));
  const store = async () => {
    opened ??= await openStore(settings());
    return opened;
  };
  try {
    process.exitCode = await command({
      get settings() {
        return settings();
      },
      get log() {
        return log();
      },
      terminal,
      signal: interruption,
      store,
      typed: (command) => `${typed} ${command}`,
      async tracing() {
        if (tracing === noTracing) {
          const { version } = packageJson;
          const name = { settings: settings(), serviceName: "proofroom", version };
          tracing = await openTracing({ ...name, store: await store(), log: log() });
        }
        return tracing;
      },
    });
  } catch (thrown) {
    const error = publicErrorOf(thrown);
    terminal.note(failureText(error));
    if (error.code === "internal") terminal.note(internalNote(thrown));
    terminal.result({ error }, "");
    process.exitCode = exitCodeOf(error);
  } finally {
    await tracing.close();
    await opened?.close();
  }
  // Whatever a library left open must not keep a finished command alive.
  await new Promise<void>((resolve) => {
    process.stdout.write("", () => resolve());
    // Neither must a reader that takes nothing, once the command was told to end.
    const leave = () => void setTimeout(resolve, readersPatience);
    if (interruption.aborted) leave();
    else interruption.addEventListener("abort", leave, { once: true });
  });
  process.exit();
}

await buildProgram({ run, version: packageJson.version, typedAs: typed }).parseAsync(process.argv);
