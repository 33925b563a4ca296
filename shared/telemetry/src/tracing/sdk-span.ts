import {
  type Span as ApiSpan,
  type Attributes as SdkAttributes,
  SpanStatusCode,
  TraceFlags,
} from "@opentelemetry/api";
import { ATTR_ERROR_TYPE } from "@opentelemetry/semantic-conventions";
import { formatTraceparent, parseTraceparent } from "./traceparent.ts";
import type { Attributes, Span } from "./tracing.ts";

export interface SdkSpanOptions {
  redact(text: string): string;
  /** Whether text of others is kept. */
  captures: boolean;
  /** Of a text of others, in characters. */
  longest: number;
}

/** A span of OpenTelemetry's as the code here knows one. No secret gets in. */
export function createSdkSpan(span: ApiSpan, { redact, captures, longest }: SdkSpanOptions): Span {
  function clean(attributes: Attributes | undefined): SdkAttributes {
    const cleaned: SdkAttributes = {};
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (typeof value === "string") cleaned[name] = redact(value);
      else if (typeof value === "object") cleaned[name] = value.map(redact);
      else if (value !== undefined) cleaned[name] = value;
    }
    return cleaned;
  }

  const { traceId, spanId, traceFlags } = span.spanContext();
  const sampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  let failed = false;
  return {
    traceparent: formatTraceparent({ traceId, spanId, sampled }),
    set: (attributes) => void span.setAttributes(clean(attributes)),
    event: (name, attributes) => void span.addEvent(name, clean(attributes)),
    link(traceparent) {
      const ref = parseTraceparent(traceparent);
      if (ref === null) return;
      const flags = ref.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
      span.addLink({ context: { traceId: ref.traceId, spanId: ref.spanId, traceFlags: flags } });
    },
    fail(type, attributes) {
      // Whoever knew first knew best.
      if (failed) return;
      failed = true;
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttributes(clean({ [ATTR_ERROR_TYPE]: type, ...attributes }));
    },
    content(attribute, text) {
      if (!captures) return;
      const whole = text();
      // Cut first where it is far longer than what is kept: no redaction of megabytes. A secret at the cut is cut with it.
      const clear = redact(whole.slice(0, longest * 4));
      span.setAttribute(attribute, clear.length > longest ? `${clear.slice(0, longest)}…` : clear);
    },
  };
}
