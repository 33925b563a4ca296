import { type Attributes, type HrTime, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { ATTR_SERVICE_NAME } from "@opentelemetry/semantic-conventions";
import type { SpanRecord } from "./span-record.ts";

const kinds: Readonly<Record<SpanKind, SpanRecord["kind"]>> = {
  [SpanKind.INTERNAL]: "internal",
  [SpanKind.SERVER]: "server",
  [SpanKind.CLIENT]: "client",
  [SpanKind.PRODUCER]: "producer",
  [SpanKind.CONSUMER]: "consumer",
};

function microseconds([seconds, nanoseconds]: HrTime): number {
  return Math.max(seconds * 1_000_000 + Math.round(nanoseconds / 1_000), 0);
}

/** Ours are of these kinds alone. */
function plain(attributes: Attributes | undefined): SpanRecord["attributes"] {
  return Object.fromEntries(
    Object.entries(attributes ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value as SpanRecord["attributes"][string]]],
    ),
  );
}

/** A span that has ended, as it is kept with its run. */
export function toRecord(span: ReadableSpan): SpanRecord {
  const { traceId, spanId } = span.spanContext();
  const parent = span.parentSpanContext?.spanId;
  return {
    trace_id: traceId,
    span_id: spanId,
    ...(parent === undefined ? {} : { parent_id: parent }),
    name: span.name,
    kind: kinds[span.kind],
    service: String(span.resource.attributes[ATTR_SERVICE_NAME] ?? ""),
    start_us: microseconds(span.startTime),
    duration_us: microseconds(span.duration),
    failed: span.status.code === SpanStatusCode.ERROR,
    attributes: plain(span.attributes),
    ...(span.events.length === 0
      ? {}
      : {
          events: span.events.map(({ name, time, attributes }) => ({
            name,
            at_us: microseconds(time),
            attributes: plain(attributes),
          })),
        }),
    ...(span.links.length === 0
      ? {}
      : { links: span.links.map(({ context }) => ({ trace_id: context.traceId, span_id: context.spanId })) }),
  };
}
