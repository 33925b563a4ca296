import type { Command } from "commander";
import type { RunCommand } from "../commands/context.ts";
import { wholeNumber } from "./options.ts";

const mcpHelp = `
An agent's program starts this itself and speaks with it; stdout holds the protocol alone, messages go to stderr.
It ends when the program closes stdin. Several may run on one home: they share its Redis.
For Claude Code: claude mcp add proofroom -- node CHECKOUT/services/cli/bin/proofroom.mjs mcp
Others: services/gateway-mcp/README.md.`;

/** The commands that stay and do what others ask for. */
export function addHostingCommands(program: Command, run: RunCommand): void {
  program
    .command("serve")
    .description("host every service until it is stopped, and look after all runs")
    .option("--health-port <n>", "port of /livez, /readyz and /metrics (default: 9464)", wholeNumber)
    .action((flags) =>
      run({}, async (context) =>
        (await import("../commands/serve.ts")).serveCommand(context, flags.healthPort),
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
        const { mcpCommand } = await import("../commands/mcp.ts");
        return mcpCommand(context, {
          toolsets: flags.toolsets,
          workers: flags.workers,
          inlineMs: flags.inlineMs,
        });
      }),
    );
}
