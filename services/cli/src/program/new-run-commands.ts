import type { RunBudget } from "@proofroom/contracts";
import type { Command } from "commander";
import type { RunCommand } from "../commands/context.ts";
import { parseBudget } from "../commands/parse-budget.ts";
import { gatewayAddress } from "../remote/gateway-address.ts";
import { eventsOption, jsonOption, recordOption, remoteOption, wholeNumber } from "./options.ts";

const collect = (value: string, sofar: string[]) => [...sofar, value];

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

/** The commands that make a run: of a guideline, of a topic and sources, of a folder. */
export function addNewRunCommands(program: Command, run: RunCommand): void {
  withRunOptions(
    program.command("write [guideline]").description("write an article: gather, draft, verify, run, publish"),
  )
    .option(
      "--out <dir>",
      "folder for research.md, article.md and article.html (default: proofroom-out/TITLE)",
    )
    .option("--example", "write the example that comes with Proofroom")
    .addOption(recordOption())
    .addOption(remoteOption())
    .addOption(jsonOption())
    .addOption(eventsOption())
    .action((guideline: string | undefined, flags) =>
      run(flags, async (context) => {
        const request = {
          ...requestOf(guideline, flags),
          out: flags.out,
          example: flags.example === true,
        };
        if (flags.remote === undefined)
          return (await import("../commands/write.ts")).writeCommand(context, request);
        const { writeRemoteCommand } = await import("../remote/remote-commands.ts");
        return writeRemoteCommand(context, request, gatewayAddress(flags.remote));
      }),
    );

  withRunOptions(program.command("create [guideline]").description("create a run without starting it"))
    .addOption(jsonOption())
    .action((guideline: string | undefined, flags) =>
      run(flags, async (context) => {
        const { createCommand } = await import("../commands/create.ts");
        return createCommand(context, requestOf(guideline, flags));
      }),
    );

  program
    .command("import <folder>")
    .description("make a run of a folder that the reference system, or export, left")
    .addOption(jsonOption())
    .action((folder: string, flags) =>
      run(flags, async (context) => (await import("../commands/import.ts")).importCommand(context, folder)),
    );
}
