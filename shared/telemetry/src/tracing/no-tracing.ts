import type { OpenSpan, Span, Tracing } from "./tracing.ts";

const nothing: Span = {
  traceparent: "",
  set: () => undefined,
  event: () => undefined,
  link: () => undefined,
  fail: () => undefined,
  content: () => undefined,
};

/** A span that nobody is told of. */
export const silentSpan: OpenSpan = { ...nothing, run: (work) => work(), end: () => undefined };

/** Traces nothing, for those who were given no tracing. */
export const noTracing: Tracing = {
  span: (_start, work) => work(nothing),
  open: () => silentSpan,
  within: (_traceparent, _ids, work) => work(),
  active: () => null,
  carried: () => null,
  ids: () => ({}),
  ended: () => undefined,
  close: async () => undefined,
};
