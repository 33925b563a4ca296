import { type CommandContext, parseRunId } from "../commands/context.ts";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import { runLines, runText } from "../output/run-text.ts";
import { clientFor } from "./gateway-client.ts";

/** Every run that the key's tenant has at a gateway, newest last. */
export async function listRemoteCommand(context: CommandContext, address: URL): Promise<ExitCode> {
  const client = clientFor(context, address);
  const runs = (await client.runs()).reverse();
  const write = context.typed(`write GUIDELINE.md --remote ${client.url}`);
  const none = `There are no runs yet at ${client.url}: ${write} makes one.`;
  context.terminal.result({ runs }, runs.length === 0 ? none : runLines(runs).join("\n"));
  return exitCodes.done;
}

/** One run at a gateway, and its steps. */
export async function statusRemoteCommand(
  context: CommandContext,
  id: string,
  address: URL,
): Promise<ExitCode> {
  const client = clientFor(context, address);
  const run = await client.run(parseRunId(context, id));
  const resume = context.typed(`resume ${run.run_id} --remote ${client.url}`);
  context.terminal.result(run, runText(run, resume));
  return exitCodes.done;
}
