import type { RunBudget } from "@proofroom/contracts";
import { ProofroomError } from "@proofroom/contracts";
import type { CommandContext } from "../commands/context.ts";
import { parseRunId } from "../commands/context.ts";
import { describeRequest, parseOptions } from "../commands/create-run.ts";
import { resultsFolder, showResult } from "../commands/drive-run.ts";
import type { WriteRequest } from "../commands/write.ts";
import { copyUploads, type LocalSource } from "../create/copy-uploads.ts";
import { namedOrExample } from "../create/example.ts";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import { createProgressView } from "../output/progress.ts";
import { collectResult, copyResults } from "../output/results.ts";
import { followRemote } from "./follow-remote.ts";
import { createGatewayClient, type GatewayClient } from "./gateway-client.ts";

function clientFor({ settings, signal }: CommandContext, address: URL): GatewayClient {
  return createGatewayClient({ address, apiKey: settings.apiKey, signal });
}

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
  const run = await followRemote({ client, runId, view, signal, note });
  const read = (name: string) => client.artifact(runId, name);
  const files = await copyResults(read, out, note);
  const { status, article, reasons, error } = run;
  const outcome = {
    status,
    reasons,
    ...(article === null ? {} : { article }),
    ...(error === null ? {} : { error }),
  };
  return showResult(terminal, await collectResult(read, { runId, outcome, files, cost: null }));
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
  parseOptions(given);
  const { text, uploads, title } = await describeRequest(context, { ...request, guideline });
  const out = await resultsFolder(context.settings, request.out, title);
  const { run_id: runId } = await client.createRun({ guideline: text, title, options: given });
  context.terminal.note(`Run ${runId} at ${client.url}`);
  await upload(context, client, runId, uploads);
  await client.resume(runId, {});
  return bringHome(context, client, runId, out);
}

/** Sets a run at a gateway in motion again where it does not move, and follows it to its end. */
export async function resumeRemoteCommand(
  context: CommandContext,
  id: string,
  options: { out: string | undefined; budget: RunBudget | undefined },
  address: URL,
): Promise<ExitCode> {
  const client = clientFor(context, address);
  const runId = parseRunId(id);
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
  const runId = parseRunId(id);
  const { status } = await client.cancel(runId);
  const cancelled = status === "cancelled";
  context.terminal.result(
    { run_id: runId, cancelled },
    cancelled ? `Run ${runId} cancelled.` : `Run ${runId} had ended already.`,
  );
  return exitCodes.done;
}

/**
 * The address of a gateway, as `--remote` gives it.
 * @throws ProofroomError invalid_input
 */
export function gatewayAddress(text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : null;
  const isPlain = address !== null && address.username === "" && address.search === "" && address.hash === "";
  if (isPlain && /^https?:$/.test(address.protocol)) return address;
  throw new ProofroomError({
    code: "invalid_input",
    message: "--remote takes the address of a REST gateway.",
    remedy: "For instance: --remote http://127.0.0.1:8080",
  });
}
