import { isProofroomError, ProofroomError, toProofroomError, toPublicError } from "@proofroom/contracts";
import type { Logger, Tracing } from "@proofroom/telemetry";
import { errorLines } from "../error-lines.ts";
import type { Tool, ToolAnswer, ToolContext } from "./tool.ts";

/** An error as a client reads it, whole in the text. What is not ours has a fixed text: it may quote anything. */
export function errorAnswer(thrown: unknown): ToolAnswer {
  const lines = errorLines(toPublicError(toProofroomError(thrown)));
  return { text: lines.join("\n"), structured: {}, isError: true };
}

/** What a check says, which may quote what was sent: on a line, and no longer than a reader needs. */
function quotable(text: string): string {
  return text.slice(0, 300).replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, "\ufffd");
}

/** @throws ProofroomError invalid_input, naming the argument */
export function parseArguments(tool: Tool, args: unknown): Record<string, unknown> {
  const parsed = tool.input.safeParse(args ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ProofroomError({
    code: "invalid_input",
    message: quotable(`${issue?.path.join(".") || "arguments"}: ${issue?.message ?? "not valid"}`),
    remedy: `See the input schema of ${tool.name}.`,
  });
}

export interface CallContext extends Omit<ToolContext, "deps"> {
  open(): Promise<ToolContext["deps"]>;
  log: Logger;
  /** Calls a tool in a span of the gateway's tracing, where there is one. */
  trace?(tracing: Tracing | undefined, work: () => Promise<ToolAnswer>): Promise<ToolAnswer>;
}

/** Calls a tool with whatever a client sent. Never throws. */
export async function callTool(tool: Tool, args: unknown, context: CallContext): Promise<ToolAnswer> {
  try {
    const parsed = parseArguments(tool, args);
    const deps = await context.open();
    const run = () => tool.run(parsed, { ...context, deps });
    return await (context.trace === undefined ? run() : context.trace(deps.tracing, run));
  } catch (error) {
    if (!isProofroomError(error) && !context.signal.aborted) {
      const name = error instanceof Error ? error.name : typeof error;
      context.log.error({ tool: tool.name, error: name }, "tool failed");
    }
    return errorAnswer(error);
  }
}
