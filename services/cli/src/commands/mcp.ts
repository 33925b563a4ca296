import { parseToolsets, serveStdioGateway } from "@proofroom/gateway-mcp";
import { type Logger, silentLogger } from "@proofroom/telemetry";
import { createDirectories } from "../mcp/directory/research-directories.ts";
import { openPatiently } from "../mcp/patient-opening.ts";
import { claimOutput } from "../mcp/protocol-output.ts";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import type { CommandContext } from "./context.ts";

export interface McpRequest {
  /** Names separated by commas; everything where undefined. */
  toolsets: string | undefined;
  /** False where the workers run elsewhere. */
  workers: boolean;
  /** How long a call waits for its job before it answers with a handle, in milliseconds. */
  inlineMs: number | undefined;
}

/** How long answers under way may take when the process is told to end, in milliseconds. */
const grace = 3_000;

/** Settings that cannot be read are told by every tool, so they must not end the server here. */
function logOf(context: CommandContext): Logger {
  try {
    return context.log;
  } catch {
    return silentLogger();
  }
}

/** Serves MCP over stdin and stdout until the client closes its end or the process is told to end. */
export async function mcpCommand(context: CommandContext, request: McpRequest): Promise<ExitCode> {
  const toolsets = parseToolsets(request.toolsets);
  const { output, release } = claimOutput(process.stdout, process.stderr);
  const ending = new AbortController();
  const log = logOf(context);
  const opening = openPatiently(async () => {
    // All services: far more than the first answer may wait for.
    const { openGateway } = await import("../mcp/open-gateway.ts");
    const signal = AbortSignal.any([context.signal, ending.signal]);
    return openGateway({ context, log, workers: request.workers, signal });
  });
  const gateway = serveStdioGateway({
    open: async () => (await opening.get()).deps,
    log,
    toolsets,
    inlineMs: request.inlineMs,
    directories: createDirectories({ settings: () => context.settings, log }),
    input: process.stdin,
    output,
  });
  const told = new Promise<void>((resolve) => {
    if (context.signal.aborted) resolve();
    else context.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  try {
    await Promise.race([gateway.ended, told]);
    await gateway.close(grace);
    ending.abort(new DOMException("closing", "AbortError"));
    await (await opening.current())?.close();
    return exitCodes.done;
  } finally {
    release();
  }
}
