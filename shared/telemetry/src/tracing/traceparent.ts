/** A span as another process names it. */
export interface SpanRef {
  traceId: string;
  spanId: string;
  /** Whether whoever began the trace wants it sent to backends. */
  sampled: boolean;
}

const form =
  /^(?<version>[0-9a-f]{2})-(?<trace>[0-9a-f]{32})-(?<span>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<rest>-.*)?$/;

/** Reads a `traceparent` after W3C Trace Context; null for whatever is none. */
export function parseTraceparent(text: string | undefined): SpanRef | null {
  const { version, trace, span, flags, rest } = form.exec(text?.trim() ?? "")?.groups ?? {};
  if (version === undefined || trace === undefined || span === undefined || flags === undefined) return null;
  // Later versions may say more at the end; this one may not.
  if (version === "ff" || (version === "00" && rest !== undefined)) return null;
  if (/^0+$/.test(trace) || /^0+$/.test(span)) return null;
  return { traceId: trace, spanId: span, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, sampled }: SpanRef): string {
  return `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
}
