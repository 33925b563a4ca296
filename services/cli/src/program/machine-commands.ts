import type { Command } from "commander";
import type { RunCommand } from "../commands/context.ts";
import { jsonOption } from "./options.ts";

/** The commands that need no run: about files, and about this machine. */
export function addMachineCommands(program: Command, run: RunCommand): void {
  program
    .command("check <files...>")
    .description("check and run the code blocks of Markdown files")
    .option("--no-run", "check the syntax only")
    .addOption(jsonOption())
    .action((files: string[], flags) =>
      run(flags, async (context) =>
        (await import("../commands/check.ts")).checkCommand(context, files, flags.run),
      ),
    );

  program
    .command("doctor")
    .description("say what is there, what is missing and how to mend it")
    .option("--online", "also ask the providers that are set whether they are there and take the key")
    .addOption(jsonOption())
    .action((flags) =>
      run(flags, async (context) =>
        (await import("../commands/doctor.ts")).doctorCommand(context, flags.online === true),
      ),
    );
}
