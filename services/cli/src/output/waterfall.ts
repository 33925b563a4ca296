import type { SpanRecord } from "@proofroom/telemetry";
import pc from "picocolors";

/** Spans of one trace as a tree: depth first, those of one parent in the order in which they began. */
export interface TreeRow {
  span: SpanRecord;
  depth: number;
}

/** How wide the bars are, in characters. */
const barWidth = 32;

/** Spans that say what a job carries about, and not what is done. */
const carriage = new Set<SpanRecord["kind"]>(["producer"]);

function isStoreAccess({ attributes }: SpanRecord): boolean {
  return attributes["proofroom.store.key"] !== undefined;
}

/** The traces of a run, the earliest first. A span whose parent is not there, one of another system's, begins a tree. */
export function treesOf(spans: readonly SpanRecord[]): { traceId: string; rows: TreeRow[] }[] {
  return [...Map.groupBy(spans, ({ trace_id }) => trace_id)].map(([traceId, own]) => {
    const ids = new Set(own.map(({ span_id }) => span_id));
    const children = Map.groupBy(own, ({ parent_id }) =>
      parent_id !== undefined && ids.has(parent_id) ? parent_id : "",
    );
    const rows: TreeRow[] = [];
    const walk = (parent: string, depth: number) => {
      for (const span of children.get(parent) ?? []) {
        rows.push({ span, depth });
        walk(span.span_id, depth + 1);
      }
    };
    walk("", 0);
    return { traceId, rows };
  });
}

/** When the first of some spans began and the last ended, in microseconds. */
export function extentOf(spans: readonly SpanRecord[]): { from: number; to: number } {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { start_us, duration_us } of spans) {
    from = Math.min(from, start_us);
    to = Math.max(to, start_us + duration_us);
  }
  return { from, to };
}

export function durationText(us: number): string {
  const ms = us / 1_000;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  return seconds < 100
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function barOf({ start_us, duration_us }: SpanRecord, from: number, length: number): string {
  const at = Math.min(Math.floor(((start_us - from) / length) * barWidth), barWidth - 1);
  const cells = Math.min(Math.max(Math.round((duration_us / length) * barWidth), 1), barWidth - at);
  return " ".repeat(at) + "━".repeat(cells) + " ".repeat(barWidth - at - cells);
}

/** What there is to know of a span beside its time: who answered, what it took, why it failed. */
function detailOf({ attributes, failed, events = [] }: SpanRecord): string {
  const told: string[] = [];
  const attempt = Number(attributes["proofroom.attempt"] ?? 1);
  if (attempt > 1) told.push(`attempt ${attempt}`);
  const address = attributes["url.full"];
  if (address !== undefined) told.push(String(address));
  if (failed) told.push(pc.red(`failed: ${attributes["error.type"] ?? "unknown"}`));
  const disposition = attributes["proofroom.disposition"];
  if (disposition !== undefined) told.push(String(disposition).replaceAll("_", " "));
  const by = attributes["proofroom.model.answered_by"];
  if (by !== undefined) told.push(`answered by ${by}`);
  for (const { name, attributes: of } of events)
    if (name === "retry" || name === "failover") told.push(`${name} to ${of["gen_ai.request.model"]}`);
  const tokens = attributes["gen_ai.usage.input_tokens"];
  if (tokens !== undefined) told.push(`${tokens} → ${attributes["gen_ai.usage.output_tokens"]} tokens`);
  const cost = attributes["gen_ai.usage.cost"];
  if (cost !== undefined) told.push(`$${Number(cost).toFixed(4)}`);
  const verdict = attributes["proofroom.sandbox.verdict"];
  if (verdict !== undefined) told.push(String(verdict));
  const status = attributes["proofroom.run.status"];
  if (status !== undefined)
    told.push([status, attributes["proofroom.run.article"]].filter(Boolean).join(", "));
  const bytes = attributes["proofroom.bytes"];
  if (bytes !== undefined) told.push(`${bytes} bytes`);
  return told.length === 0 ? "" : `  ${pc.dim(told.join("; "))}`;
}

/** Draws one trace, a line a span: when it began, how long it took, a bar on the time of the whole, and what it was. */
export function waterfall(rows: readonly TreeRow[], all: boolean): string[] {
  const shown = all ? rows : rows.filter(({ span }) => !carriage.has(span.kind) && !isStoreAccess(span));
  const { from, to } = extentOf(rows.map(({ span }) => span));
  const length = Math.max(to - from, 1);
  return shown.map(({ span, depth }) => {
    const began = `${((span.start_us - from) / 1_000_000).toFixed(2)} s`.padStart(9);
    const took = durationText(span.duration_us).padStart(9);
    const bar = barOf(span, from, length);
    const name = "  ".repeat(depth) + span.name;
    return `${began} ${took} │${span.failed ? pc.red(bar) : bar}│ ${name}${detailOf(span)}`;
  });
}
