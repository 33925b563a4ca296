import { publicCapabilities, type RunBudget } from "@proofroom/contracts";
import { Command, InvalidArgumentError, Option } from "commander";
import type { RunCommand } from "./commands/context.ts";
import { parseBudget } from "./commands/parse-budget.ts";
import { addToolCommands } from "./commands/tool-options.ts";

const collect = (value: string, sofar: string[]) => [...sofar, value];

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

function withRunOptions(command: Command): Command {
  return command
    .option("--topic <text>", "what the article is about, in place of a guideline")
    .option(
      "--source <path or URL>",
      "a source, in place of a guideline; may be given several times",
      collect,
      [],
    )
    .option("--max-rounds <n>", "rounds of refinement at the most, 1 to 3 (default: 3)", wholeNumber)
    .option(
      "--search-rounds <n>",
      "rounds of web search for what the sources lack, 0 to 3 (default: 3 where a search provider is set, else 0)",
      wholeNumber,
    )
    .option(
      "--approve-at <score>",
      "score from which an article is approved, 0 to 100 (default: 80)",
      wholeNumber,
    )
    .option("--no-draft", "publish nothing that was not approved")
    .option("--require-code-run", "code that could not be run for want of a sandbox blocks approval")
    .option(
      "--budget <limits>",
      "the most that may be spent on models and searches, in US dollars at list prices, or a list of limits: usd=0.25,tokens=500000,searches=30,pages=50 (default: no limit)",
      parseBudget,
    );
}

function requestOf(guideline: string | undefined, flags: Record<string, unknown>) {
  return {
    guideline,
    topic: flags["topic"] as string | undefined,
    sources: flags["source"] as string[],
    options: {
      max_rounds: flags["maxRounds"],
      search_rounds: flags["searchRounds"],
      approve_at: flags["approveAt"],
      allow_draft: flags["draft"],
      require_code_run: flags["requireCodeRun"],
      ...(flags["budget"] as RunBudget | undefined),
    },
  };
}

const mcpHelp = `
An agent's program starts this itself and speaks with it; stdout holds the protocol alone, messages go to stderr.
It ends when the program closes stdin. Several may run on one home: they share its Redis.
For Claude Code: claude mcp add proofroom -- node CHECKOUT/services/cli/bin/proofroom.mjs mcp
Others: services/gateway-mcp/README.md.`;

/** The `proofroom` command line. Commands are imported when they are used: `status` does not pay for `write`. */
export function buildProgram(run: RunCommand, version: string): Command {
  const program = new Command("proofroom")
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
  const json = new Option("--json", "print one JSON value on stdout, and nothing else there");
  const events = new Option("--events", "print what happens as NDJSON on stdout, the result last").conflicts(
    "json",
  );

  const remote = new Option(
    "--remote <url>",
    "have it done by the services behind this REST gateway; PROOFROOM_API_KEY is its key",
  );

  const record = new Option(
    "--record <on|off>",
    "whether questions, queries and answers are kept with the run; how many there were always is (default: PROOFROOM_RECORD, else on)",
  )
    .choices(["on", "off"])
    .conflicts("remote");

  withRunOptions(
    program.command("write [guideline]").description("write an article: gather, draft, verify, run, publish"),
  )
    .option(
      "--out <dir>",
      "folder for research.md, article.md and article.html (default: proofroom-out/TITLE)",
    )
    .option("--example", "write the example that comes with Proofroom")
    .addOption(record)
    .addOption(remote)
    .addOption(json)
    .addOption(events)
    .action((guideline: string | undefined, flags) =>
      run(flags, async (context) => {
        const request = {
          ...requestOf(guideline, flags),
          out: flags.out,
          example: flags.example === true,
        };
        if (flags.remote === undefined)
          return (await import("./commands/write.ts")).writeCommand(context, request);
        const { gatewayAddress, writeRemoteCommand } = await import("./remote/remote-commands.ts");
        return writeRemoteCommand(context, request, gatewayAddress(flags.remote));
      }),
    );

  withRunOptions(program.command("create [guideline]").description("create a run without starting it"))
    .addOption(json)
    .action((guideline: string | undefined, flags) =>
      run(flags, async (context) => {
        const { createCommand } = await import("./commands/create.ts");
        return createCommand(context, requestOf(guideline, flags));
      }),
    );

  program
    .command("list")
    .description("list the runs")
    .addOption(json)
    .action((flags) =>
      run(flags, async (context) => (await import("./commands/inspect.ts")).listCommand(context)),
    );

  program
    .command("status <run>")
    .description("show a run and its steps")
    .addOption(json)
    .action((id: string, flags) =>
      run(flags, async (context) => (await import("./commands/inspect.ts")).statusCommand(context, id)),
    );

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
    .addOption(record)
    .addOption(remote)
    .addOption(json)
    .addOption(events)
    .action((id: string, flags) =>
      run(flags, async (context) => {
        const options = { out: flags.out, budget: flags.budget };
        if (flags.remote === undefined)
          return (await import("./commands/control.ts")).resumeCommand(context, id, options);
        const { gatewayAddress, resumeRemoteCommand } = await import("./remote/remote-commands.ts");
        return resumeRemoteCommand(context, id, options, gatewayAddress(flags.remote));
      }),
    );

  program
    .command("replay <run>")
    .description(
      "execute a run again from what it gathered and what models answered: offline, and nobody is asked",
    )
    .option("--out <dir>", "folder for the results (default: proofroom-out/TITLE-replay)")
    .addOption(json)
    .addOption(events)
    .action((id: string, flags) =>
      run(flags, async (context) =>
        (await import("./commands/replay.ts")).replayCommand(context, id, flags.out),
      ),
    );

  program
    .command("cancel <run>")
    .description("stop a run; it can be resumed")
    .addOption(remote)
    .addOption(json)
    .action((id: string, flags) =>
      run(flags, async (context) => {
        if (flags.remote === undefined)
          return (await import("./commands/control.ts")).cancelCommand(context, id);
        const { cancelRemoteCommand, gatewayAddress } = await import("./remote/remote-commands.ts");
        return cancelRemoteCommand(context, id, gatewayAddress(flags.remote));
      }),
    );

  program
    .command("retry <run>")
    .description("execute a run again from one of its steps")
    .requiredOption("--from <step>", "the step, as status shows it")
    .option("--out <dir>", "folder for the results")
    .addOption(record)
    .addOption(json)
    .addOption(events)
    .action((id: string, flags) =>
      run(flags, async (context) =>
        (await import("./commands/control.ts")).retryCommand(context, id, {
          from: flags.from,
          out: flags.out,
        }),
      ),
    );

  addToolCommands(
    program.command("tool").description("run one capability on a run"),
    publicCapabilities(),
    run,
  );

  program
    .command("import <folder>")
    .description("make a run of a folder that the reference system, or export, left")
    .addOption(json)
    .action((folder: string, flags) =>
      run(flags, async (context) => (await import("./commands/import.ts")).importCommand(context, folder)),
    );

  program
    .command("trace <run>")
    .description("draw what a run did and how long each part took")
    .option("--all", "also the sending of jobs, and the reading and writing of artifacts")
    .addOption(json)
    .action((id: string, flags) =>
      run(flags, async (context) =>
        (await import("./commands/trace.ts")).traceCommand(context, id, flags.all === true),
      ),
    );

  program
    .command("export <run> <folder>")
    .description("write a run as a folder of files")
    .addOption(json)
    .action((id: string, folder: string, flags) =>
      run(flags, async (context) =>
        (await import("./commands/inspect.ts")).exportCommand(context, id, folder),
      ),
    );

  program
    .command("check <files...>")
    .description("check and run the code blocks of Markdown files")
    .option("--no-run", "check the syntax only")
    .addOption(json)
    .action((files: string[], flags) =>
      run(flags, async (context) =>
        (await import("./commands/check.ts")).checkCommand(context, files, flags.run),
      ),
    );

  program
    .command("serve")
    .description("host every service until it is stopped, and look after all runs")
    .option("--health-port <n>", "port of /livez, /readyz and /metrics (default: 9464)", wholeNumber)
    .action((flags) =>
      run({}, async (context) =>
        (await import("./commands/control.ts")).serveCommand(context, flags.healthPort),
      ),
    );

  program
    .command("mcp")
    .description(
      "serve the tools to an agent over stdin and stdout (MCP), with every service in this process",
    )
    .option(
      "--toolsets <names>",
      "offer only these: research, writer, critic, code, runs, jobs, separated by commas",
    )
    .option("--no-workers", "host no service: those on the Redis at REDIS_URL do the work")
    .option(
      "--inline-ms <n>",
      "how long a call waits for its job before it answers with a handle, in milliseconds (default: 25000)",
      wholeNumber,
    )
    .addHelpText("after", mcpHelp)
    .action((flags) =>
      run({}, async (context) => {
        const { mcpCommand } = await import("./commands/mcp.ts");
        return mcpCommand(context, {
          toolsets: flags.toolsets,
          workers: flags.workers,
          inlineMs: flags.inlineMs,
        });
      }),
    );

  program
    .command("doctor")
    .description("say what is there, what is missing and how to mend it")
    .option("--online", "also ask the providers that are set whether they are there and take the key")
    .addOption(json)
    .action((flags) =>
      run(flags, async (context) =>
        (await import("./commands/doctor.ts")).doctorCommand(context, flags.online === true),
      ),
    );

  return program;
}
