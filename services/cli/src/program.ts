import { publicCapabilities } from "@proofroom/contracts";
import { Command } from "commander";
import type { RunCommand } from "./commands/context.ts";
import { addHostingCommands } from "./program/hosting-commands.ts";
import { addMachineCommands } from "./program/machine-commands.ts";
import { addNewRunCommands } from "./program/new-run-commands.ts";
import { addRunCommands } from "./program/run-commands.ts";
import { addToolCommands } from "./program/tool-commands.ts";

export interface ProgramOptions {
  run: RunCommand;
  version: string;
  /** What the user types before a command's name. */
  typedAs: string;
}

/** The `proofroom` command line. Commands are imported when they are used: `status` does not pay for `write`. */
export function buildProgram({ run, version, typedAs }: ProgramOptions): Command {
  const program = new Command(typedAs)
    .description(
      "Turns a guideline and its sources into an article whose citations are verified and whose code has been run.",
    )
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 failed, 2 wrong use, 3 draft only, 4 something is needed, 130 interrupted.",
    )
    .version(version, "--version")
    .showHelpAfterError("(--help shows what there is)")
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  addNewRunCommands(program, run);
  addRunCommands(program, run);
  addToolCommands(
    program.command("tool").description("run one capability on a run"),
    publicCapabilities(),
    run,
  );
  addHostingCommands(program, run);
  addMachineCommands(program, run);
  return program;
}
