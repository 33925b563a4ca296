import type { RunBudget } from "@proofroom/contracts";
import type { CommandContext } from "../commands/context.ts";
import { parseRunId } from "../commands/context.ts";
import { describeRequest, parseOptions } from "../commands/create-run.ts";
import { resultsFolder, showResult } from "../commands/drive-run.ts";
import { assertNoneAtWork, parseRunIds, type Removal, showRemoved } from "../commands/removal.ts";
import type { WriteRequest } from "../commands/write.ts";
import { copyUploads, type LocalSource } from "../create/copy-uploads.ts";
import { namedOrExample } from "../create/example.ts";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import { createProgressView } from "../output/progress.ts";
import { collectResult, copyResults } from "../output/results.ts";
import { followRemote } from "./follow-remote.ts";
import { clientFor, type GatewayClient } from "./gateway-client.ts";

/** Sends the local sources of a guideline, and says which of them could not be. */
async function upload(
  context: CommandContext,
  client: GatewayClient,
  runId: string,
  sources: readonly LocalSource[],
): Promise<void> {
  const base = "";
  const below = ".nova/uploads/";
  const { entries } = await copyUploads(
    {
      base,
      signal: context.signal,
      store: {
        async create(key, body) {
          const bytes = new Uint8Array(
            await new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer(),
          );
          await client.upload(runId, key.slice(below.length), bytes);
          return { key, size: bytes.length, etag: "", modified: new Date() };
        },
      },
    },
    sources,
  );
  for (const { path, error } of entries)
    if (error !== undefined) context.terminal.note(` ! ${path}: ${error.message} (${error.code})`);
}

/** Shows a run that moves to its end, and writes its results here. */
async function bringHome(
  context: CommandContext,
  client: GatewayClient,
  runId: string,
  out: string,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  const note = (line: string) => terminal.note(line);
  const view = createProgressView(terminal);
  const run = await followRemote({ client, runId, view, signal, typed: context.typed, note });
  const read = (name: string) => client.artifact(runId, name);
  const files = await copyResults(read, out, note);
  const { status, article, reasons, error, cost } = run;
  const outcome = {
    status,
    reasons,
    ...(article === null ? {} : { article }),
    ...(error === null ? {} : { error }),
  };
  const result = await collectResult(read, { runId, outcome, files, cost });
  return showResult(terminal, result, context.typed(`resume ${runId} --remote ${client.url}`));
}

/** Does what `write` does, with the work done by the services behind a gateway. */
export async function writeRemoteCommand(
  context: CommandContext,
  request: WriteRequest,
  address: URL,
): Promise<ExitCode> {
  const client = clientFor(context, address);
  const guideline = await namedOrExample(request, context.settings.checkout, context.signal);
  const given = Object.fromEntries(
    Object.entries(request.options).filter(([, value]) => value !== undefined),
  );
  parseOptions(context, given);
  const { text, uploads, title } = await describeRequest(context, { ...request, guideline });
  const out = await resultsFolder(context.settings, request.out, title);
  const { run_id: runId } = await client.createRun({ guideline: text, title, options: given });
  try {
    await upload(context, client, runId, uploads);
    await client.resume(runId, {});
  } catch (error) {
    await removeUnbegun(context, address, runId);
    throw error;
  }
  context.terminal.note(`Run ${runId} at ${client.url}`);
  return bringHome(context, client, runId, out);
}

/** How long the gateway may take over a run that could not begin, in milliseconds. */
const takeBackPatience = 5_000;

/** Removes a run that was made for a command and has not begun, also where that was interrupted; says so where it cannot. */
async function removeUnbegun(context: CommandContext, address: URL, runId: string): Promise<void> {
  const signal = AbortSignal.timeout(takeBackPatience);
  const client = clientFor({ settings: context.settings, signal }, address);
  try {
    if ((await client.run(runId)).status === "queued") return await client.remove(runId);
  } catch {
    // Whatever keeps the gateway from it has been told, or is.
  }
  const resume = context.typed(`resume ${runId} --remote ${client.url}`);
  context.terminal.note(`! Run ${runId} was made at ${client.url}: ${resume} goes on with it.`);
}

/** Sets a run at a gateway in motion again where it does not move, and follows it to its end. */
export async function resumeRemoteCommand(
  context: CommandContext,
  id: string,
  options: { out: string | undefined; budget: RunBudget | undefined },
  address: URL,
): Promise<ExitCode> {
  const client = clientFor(context, address);
  const runId = parseRunId(context, id);
  const { title, status } = await client.run(runId);
  const out = await resultsFolder(context.settings, options.out, title);
  if (status !== "running" || options.budget !== undefined) await client.resume(runId, options.budget ?? {});
  return bringHome(context, client, runId, out);
}

/** Cancels a run at a gateway. */
export async function cancelRemoteCommand(
  context: CommandContext,
  id: string,
  address: URL,
): Promise<ExitCode> {
  const client = clientFor(context, address);
  const runId = parseRunId(context, id);
  const { status } = await client.cancel(runId);
  const cancelled = status === "cancelled";
  context.terminal.result(
    { run_id: runId, cancelled },
    cancelled ? `Run ${runId} cancelled.` : `Run ${runId} had ended already.`,
  );
  return exitCodes.done;
}

/**
 * Deletes runs at a gateway. All are looked at before the first is gone.
 * @throws ProofroomError invalid_input, not_found, conflict where a run is at work and may not be cancelled
 */
export async function removeRemoteCommand(
  context: CommandContext,
  removal: Removal,
  address: URL,
): Promise<ExitCode> {
  const client = clientFor(context, address);
  const runIds = parseRunIds(context, removal);
  const runs = await Promise.all(runIds.map((runId) => client.run(runId)));
  const moving = runs.filter(({ status }) => status === "running" || status === "waiting_quota");
  const ids = moving.map(({ run_id }) => run_id);
  assertNoneAtWork(context, removal, ids, ` --remote ${client.url}`);
  for (const runId of runIds) await client.remove(runId);
  return showRemoved(context, runIds);
}
