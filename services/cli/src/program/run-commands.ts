import type { Command } from "commander";
import type { RunCommand } from "../commands/context.ts";
import { parseBudget } from "../commands/parse-budget.ts";
import { gatewayAddress } from "../remote/gateway-address.ts";
import { eventsOption, jsonOption, recordOption, remoteOption } from "./options.ts";

function addLooking(program: Command, run: RunCommand): void {
  program
    .command("list")
    .description("list the runs")
    .addOption(remoteOption())
    .addOption(jsonOption())
    .action((flags) =>
      run(flags, async (context) => {
        if (flags.remote === undefined) return (await import("../commands/inspect.ts")).listCommand(context);
        const { listRemoteCommand } = await import("../remote/remote-inspect.ts");
        return listRemoteCommand(context, gatewayAddress(flags.remote));
      }),
    );

  program
    .command("status <run>")
    .description("show a run and its steps")
    .addOption(remoteOption())
    .addOption(jsonOption())
    .action((id: string, flags) =>
      run(flags, async (context) => {
        if (flags.remote === undefined)
          return (await import("../commands/inspect.ts")).statusCommand(context, id);
        const { statusRemoteCommand } = await import("../remote/remote-inspect.ts");
        return statusRemoteCommand(context, id, gatewayAddress(flags.remote));
      }),
    );

  program
    .command("trace <run>")
    .description("draw what a run did and how long each part took")
    .option("--all", "also the sending of jobs, and the reading and writing of artifacts")
    .addOption(jsonOption())
    .action((id: string, flags) =>
      run(flags, async (context) =>
        (await import("../commands/trace.ts")).traceCommand(context, id, flags.all === true),
      ),
    );

  program
    .command("export <run> <folder>")
    .description("write a run as a folder of files")
    .addOption(jsonOption())
    .action((id: string, folder: string, flags) =>
      run(flags, async (context) =>
        (await import("../commands/export.ts")).exportCommand(context, id, folder),
      ),
    );
}

function addMoving(program: Command, run: RunCommand): void {
  program
    .command("resume <run>")
    .description(
      "go on with a run that was interrupted, failed, cancelled, edited by hand, or has spent its budget",
    )
    .option("--out <dir>", "folder for the results")
    .option(
      "--budget <limits>",
      "the most that the run may spend from now on, with what it has spent: US dollars, or usd=0.5,tokens=900000,searches=60,pages=90; what is not named stays",
      parseBudget,
    )
    .addOption(recordOption())
    .addOption(remoteOption())
    .addOption(jsonOption())
    .addOption(eventsOption())
    .action((id: string, flags) =>
      run(flags, async (context) => {
        const options = { out: flags.out, budget: flags.budget };
        if (flags.remote === undefined)
          return (await import("../commands/control.ts")).resumeCommand(context, id, options);
        const { resumeRemoteCommand } = await import("../remote/remote-commands.ts");
        return resumeRemoteCommand(context, id, options, gatewayAddress(flags.remote));
      }),
    );

  program
    .command("retry <run>")
    .description("execute a run again from one of its steps")
    .requiredOption("--from <step>", "the step, as status shows it")
    .option("--out <dir>", "folder for the results")
    .addOption(recordOption())
    .addOption(jsonOption())
    .addOption(eventsOption())
    .action((id: string, flags) =>
      run(flags, async (context) =>
        (await import("../commands/control.ts")).retryCommand(context, id, {
          from: flags.from,
          out: flags.out,
        }),
      ),
    );

  program
    .command("replay <run>")
    .description(
      "execute a run again from what it gathered and what models answered: offline, and nobody is asked",
    )
    .option("--out <dir>", "folder for the results (default: proofroom-out/TITLE-replay)")
    .addOption(jsonOption())
    .addOption(eventsOption())
    .action((id: string, flags) =>
      run(flags, async (context) =>
        (await import("../commands/replay.ts")).replayCommand(context, id, flags.out),
      ),
    );
}

function addEnding(program: Command, run: RunCommand): void {
  program
    .command("cancel <run>")
    .description("stop a run; it can be resumed")
    .addOption(remoteOption())
    .addOption(jsonOption())
    .action((id: string, flags) =>
      run(flags, async (context) => {
        if (flags.remote === undefined)
          return (await import("../commands/control.ts")).cancelCommand(context, id);
        const { cancelRemoteCommand } = await import("../remote/remote-commands.ts");
        return cancelRemoteCommand(context, id, gatewayAddress(flags.remote));
      }),
    );

  program
    .command("remove <runs...>")
    .description("delete runs with all that is stored of them; what was copied out of them stays")
    .option("--force", "cancel first what is at work")
    .addOption(remoteOption())
    .addOption(jsonOption())
    .action((ids: string[], flags) =>
      run(flags, async (context) => {
        const removal = { ids, force: flags.force === true };
        if (flags.remote === undefined)
          return (await import("../commands/remove.ts")).removeCommand(context, removal);
        const { removeRemoteCommand } = await import("../remote/remote-commands.ts");
        return removeRemoteCommand(context, removal, gatewayAddress(flags.remote));
      }),
    );
}

/** The commands that look at a run that is there, move it, and end it. */
export function addRunCommands(program: Command, run: RunCommand): void {
  addLooking(program, run);
  addMoving(program, run);
  addEnding(program, run);
}
