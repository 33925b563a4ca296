import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createFsStore } from "@proofroom/artifacts";
import { openLedger } from "@proofroom/runtime/records";
import { type SpanRecord, spanRecordSchema } from "@proofroom/telemetry";
import type { ReceivedSpan } from "@proofroom/testing";

/** The spans that lie with a run, put together. */
export async function keptSpans(home: string, runId: string): Promise<SpanRecord[]> {
  const text = await readFile(join(home, "runs", runId, ".nova", "trace.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => spanRecordSchema.parse(JSON.parse(line)));
}

/** Names of the spans whose parent is not among them; those that begin a trace have none. */
export function orphansOf(spans: readonly ReceivedSpan[]): string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentId }) => parentId !== undefined && !ids.has(parentId)).map(({ name }) => name);
}

/** Attempts that are not linked to exactly one span that sent their job. */
export function unlinkedOf(spans: readonly ReceivedSpan[]): string[] {
  const senders = new Map(spans.filter(({ kind }) => kind === 4).map((span) => [span.spanId, span]));
  return spans
    .filter(({ kind }) => kind === 5)
    .filter(({ links, attributes }) => {
      const sender = senders.get(links[0]?.spanId ?? "");
      return (
        links.length !== 1 ||
        sender?.attributes["messaging.message.id"] !== attributes["messaging.message.id"]
      );
    })
    .map(({ name }) => name);
}

/** Ids of the steps that the ledger of a run has records of. */
export async function finishedSteps(home: string, runId: string): Promise<string[]> {
  const store = createFsStore({ root: home });
  const { steps } = await openLedger(store, runId).load();
  return [...steps.values()].filter(({ record }) => record !== null).map(({ stepId }) => stepId);
}
