import { type ObjectStore, readObject } from "@proofroom/artifacts";
import { isProofroomError } from "@proofroom/contracts";
import { type RunTraceStore, type SpanRecord, spanRecordSchema } from "@proofroom/telemetry";
import { ulid } from "ulid";
import { openLedger } from "../ledger.ts";
import { ledgerKeys } from "../ledger-keys.ts";

/** Spans of a run, wherever they were made, from the earliest to the latest. */
export interface RunTraces extends RunTraceStore {
  /** What is kept now, whether the run has ended or not; a span that is kept twice is answered once. */
  read(runId: string): Promise<SpanRecord[]>;
}

/** Parts are read this many at a time. */
const readAtOnce = 16;

/** Lines that are no spans, of a later version or damaged, are passed over: a trace is told as far as it can be. */
function parseLines(text: string): SpanRecord[] {
  return text.split("\n").flatMap((line) => {
    try {
      return [spanRecordSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

/** The same spans always make the same text. */
function linesOf(spans: readonly SpanRecord[]): string {
  return spans.map((span) => `${JSON.stringify(span)}\n`).join("");
}

function inOrder(spans: readonly SpanRecord[]): SpanRecord[] {
  const byId = new Map(spans.map((span) => [span.span_id, span]));
  return [...byId.values()].sort(
    (a, b) => a.start_us - b.start_us || (a.span_id < b.span_id ? -1 : a.span_id > b.span_id ? 1 : 0),
  );
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return isProofroomError(error) && codes.includes(error.code);
}

/**
 * The traces of runs, kept with the runs. A store takes whole objects, and many processes write at once: each writes
 * parts of its own (`.nova/trace/`), and whoever comes after the end of a run puts them together (`.nova/trace.jsonl`).
 */
export function openRunTraces(store: ObjectStore): RunTraces {
  async function partsOf(runId: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of store.list(`runs/${runId}/${ledgerKeys.traceParts}`)) keys.push(key);
    return keys;
  }

  async function readParts(keys: readonly string[]): Promise<SpanRecord[]> {
    const spans: SpanRecord[] = [];
    for (let from = 0; from < keys.length; from += readAtOnce) {
      const parts = await Promise.all(
        keys.slice(from, from + readAtOnce).map(async (key) => Buffer.from(await readObject(store, key))),
      );
      for (const part of parts) spans.push(...parseLines(part.toString("utf8")));
    }
    return inOrder(spans);
  }

  /**
   * Of two that do it at once the later has read what the earlier had. Whoever wrote a part meanwhile may have looked before
   * there was a whole that lacks it.
   */
  async function compose(runId: string): Promise<void> {
    const base = `runs/${runId}/`;
    const key = base + ledgerKeys.trace;
    while ((await store.head(base + ledgerKeys.manifest)) !== null) {
      const there = await store.head(key);
      const parts = await partsOf(runId);
      const text = linesOf(await readParts(parts));
      try {
        if (there === null) await store.create(key, text);
        else await store.replace(key, text, there.etag);
        if ((await partsOf(runId)).length === parts.length) return;
      } catch (error) {
        if (!hasCode(error, "conflict", "not_found")) throw error;
      }
    }
  }

  async function isMoving(runId: string): Promise<boolean> {
    const { epoch, outcome } = await openLedger(store, runId).standing();
    return epoch !== null && outcome === null;
  }

  return {
    read: async (runId) => readParts(await partsOf(runId)),
    compose,
    async add(runId, spans) {
      const base = `runs/${runId}/`;
      // Nothing is put where a run was removed.
      if ((await store.head(base + ledgerKeys.manifest)) === null) return;
      await store.create(`${base}${ledgerKeys.traceParts}${ulid()}.jsonl`, linesOf(inOrder(spans)));
      // What comes after the end belongs to it as well. A run that moves again has its trace put together when it ends.
      if ((await store.head(base + ledgerKeys.trace)) !== null && !(await isMoving(runId)))
        await compose(runId);
    },
  };
}
