import { ProofroomError } from "@proofroom/contracts";
import { openLedger, openRunTraces } from "@proofroom/runtime/records";
import type { SpanRecord } from "@proofroom/telemetry";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import { durationText, extentOf, treesOf, waterfall } from "../output/waterfall.ts";
import { type CommandContext, parseRunId } from "./context.ts";

interface TraceTotals {
  spans: number;
  failed: number;
  model_calls: number;
  input_tokens: number;
  output_tokens: number;
  usd: number;
}

function totalsOf(spans: readonly SpanRecord[]): TraceTotals {
  const calls = spans.filter(({ attributes }) => attributes["gen_ai.operation.name"] === "chat");
  const sum = (name: string, of: readonly SpanRecord[] = calls) =>
    of.reduce((total, { attributes }) => total + Number(attributes[name] ?? 0), 0);
  return {
    spans: spans.length,
    failed: spans.filter(({ failed }) => failed).length,
    model_calls: calls.length,
    input_tokens: sum("gen_ai.usage.input_tokens"),
    output_tokens: sum("gen_ai.usage.output_tokens"),
    usd: sum("gen_ai.usage.cost", spans),
  };
}

function timeOf(spans: readonly SpanRecord[]): string {
  const { from, to } = extentOf(spans);
  return durationText(to - from);
}

/**
 * Draws what has been traced of a run, from whichever processes, and puts it together in the run's `.nova/trace.jsonl` unless
 * the run moves: that is done when it ends.
 * @param all whether the sending of jobs and the reading and writing of artifacts are drawn as well
 */
export async function traceCommand(context: CommandContext, id: string, all: boolean): Promise<ExitCode> {
  const store = await context.store();
  const runId = parseRunId(context, id);
  const { epoch, outcome } = await openLedger(store, runId).standing();
  const traces = openRunTraces(store);
  const spans = await traces.read(runId);
  if (spans.length === 0) {
    throw new ProofroomError({
      code: "not_found",
      message: "The run has no trace yet.",
      remedy: "It has one once a step of it has ended.",
    });
  }
  if (epoch === null || outcome !== null) await traces.compose(runId);
  const trees = treesOf(spans);
  const totals = totalsOf(spans);
  const lines = trees.flatMap(({ traceId, rows }) => [
    `Trace ${traceId}: ${rows.length} spans, ${timeOf(rows.map(({ span }) => span))}`,
    ...waterfall(rows, all),
  ]);
  if (totals.model_calls > 0) {
    const { model_calls, input_tokens, output_tokens, usd } = totals;
    lines.push(
      `Models: ${model_calls} calls, ${input_tokens} tokens in and ${output_tokens} out, $${usd.toFixed(4)} at list prices.`,
    );
  }
  if (!all)
    lines.push(
      `Jobs being sent and artifacts being read and written: ${context.typed(`trace ${runId} --all`)}`,
    );
  const json = trees.map(({ traceId, rows }) => ({ trace_id: traceId, spans: rows.map(({ span }) => span) }));
  context.terminal.result({ run_id: runId, totals, traces: json }, lines.join("\n"));
  return exitCodes.done;
}
