import type { TraceIds } from "./trace-ids.ts";

type Value = string | number | boolean | readonly string[];

/** What is told of a span: ids, names, numbers. What is undefined is left out. Text of others goes through `content`. */
export type Attributes = Readonly<Record<string, Value | undefined>>;

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

export interface SpanStart {
  name: string;
  /** `internal` where nothing is said. */
  kind?: SpanKind;
  attributes?: Attributes;
  /** Spans that it follows from without being part of them, as `traceparent` has them. */
  links?: readonly string[];
  /** The span that it is part of where that is not the one at work: one of another process, as `traceparent` has it. */
  parent?: string | undefined;
  /** When it began, where that was before now. */
  since?: Date;
  /** Whose work it is, and everything in it. */
  ids?: TraceIds;
}

/** One piece of work in a trace. */
export interface Span {
  /** How others name it, after W3C Trace Context. */
  readonly traceparent: string;
  set(attributes: Attributes): void;
  event(name: string, attributes?: Attributes): void;
  /** Says that it follows from another span, as `traceparent` has it. */
  link(traceparent: string): void;
  /** Says that the work failed, and of what kind the failure is: a code or the name of a class, never a message. */
  fail(type: string, attributes?: Attributes): void;
  /** Text of others: kept where the operator has it captured, without secrets and cut to a length; `text` is not called otherwise. */
  content(attribute: string, text: () => string): void;
}

/** A span whose end comes from elsewhere than from the work done in it. */
export interface OpenSpan extends Span {
  /** Does work in it. */
  run<T>(work: () => T): T;
  end(): void;
}

/** What a message carries of the trace that it belongs to; its fields are called so. */
interface Carried {
  /** The span that sent it. */
  traceparent: string;
  /** Id of the span of the same trace that whatever comes of it is part of. */
  trace_root: string;
}

/** Traces what one process does. The span at work is carried along by asynchronous calls; nothing here is global, and nothing throws. */
export interface Tracing {
  /** Does work in a span of its own. What it throws ends the span as failed, unless it has been told how it ended. */
  span<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>;
  open(start: SpanStart): OpenSpan;
  /** Does work as part of a trace: what is sent on the way belongs under that span, whatever is at work. */
  within<T>(traceparent: string | undefined, ids: TraceIds, work: () => T): T;
  /** The span at work, or null. */
  active(): Span | null;
  /** What a message sent now carries along; null where nothing is traced. */
  carried(): Carried | null;
  /** Of the work at hand, for the lines of the log. */
  ids(): TraceIds & { trace?: string };
  /** Says that a run has ended: once what is at work has ended, its trace is put together. */
  ended(runId: string): void;
  /** Hands on what there is, for a bounded time. */
  close(): Promise<void>;
}
