import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { ROOT_CONTEXT, type SpanContext, SpanKind, TraceFlags, trace } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOnSampler,
  createAlwaysRecordSampler,
  ParentBasedSampler,
  type SpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from "@opentelemetry/semantic-conventions";
import { dispositionAttribute, runAttribute } from "./conventions/proofroom.ts";
import { silentSpan } from "./no-tracing.ts";
import { createSender } from "./otlp-sender.ts";
import { createRedactor } from "./redact.ts";
import { createRunTraces } from "./run-traces.ts";
import { createSdkSpan } from "./sdk-span.ts";
import { createSpanGroup, type EndedGroup, type SpanGroup } from "./span-group.ts";
import { toRecord } from "./to-record.ts";
import type { TraceIds } from "./trace-ids.ts";
import { formatTraceparent, parseTraceparent } from "./traceparent.ts";
import type { SpanKind as Kind, OpenSpan, Span, SpanStart, Tracing } from "./tracing.ts";
import type { TracingOptions } from "./tracing-options.ts";

/** What is at work. */
interface Work {
  span: Span | null;
  /** The span that new ones are part of. */
  parent: SpanContext | undefined;
  /** The span that what is sent from here is part of. */
  root: SpanContext | undefined;
  group: SpanGroup | null;
  ids: TraceIds;
}

const kinds: Readonly<Record<Kind, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** How long a process waits on its way out for backends, and for what is kept with runs, in milliseconds. */
const closeMs = 2_000;

/** How long a value of an attribute may be, in characters. */
const longestValue = 16_384;

function contextOf(traceparent: string | undefined): SpanContext | undefined {
  const ref = parseTraceparent(traceparent);
  if (ref === null) return undefined;
  const { traceId, spanId, sampled } = ref;
  return { traceId, spanId, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

function textOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return formatTraceparent({ traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 });
}

/** Of what is thrown only what ours are: a code, or the name of a class. */
function typeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "unknown";
  return "code" in thrown && typeof thrown.code === "string" ? thrown.code : thrown.name;
}

/** What comes back at its time has not failed. */
function waits(thrown: unknown): boolean {
  return (
    thrown instanceof Error && (thrown as { disposition?: { kind?: unknown } }).disposition?.kind === "wait"
  );
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}

/** Tracing by OpenTelemetry's SDK, of which nothing is made global. */
export function createSdkTracing(options: TracingOptions): Tracing {
  const storage = new AsyncLocalStorage<Work>();
  const redact = createRedactor(options.secrets);
  const troubled = new Set<string>();
  const trouble = (where: string) => (error: unknown) => {
    if (troubled.has(where)) return;
    troubled.add(where);
    options.onTrouble(where, error);
  };
  const senders = options.destinations.map((one) => createSender(one, trouble(one.name)));
  const runs = options.runs === undefined ? null : createRunTraces(options.runs, trouble("run"));

  const groups = new WeakMap<object, SpanGroup>();
  const gathering: SpanProcessor = {
    onStart: () => undefined,
    onEnd: (span) => groups.get(span)?.add(span),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      [ATTR_SERVICE_NAME]: options.serviceName,
      [ATTR_SERVICE_VERSION]: options.version,
      "service.instance.id": randomUUID(),
    }),
    // A trace that its beginner does not want sent is kept with the run all the same.
    sampler: createAlwaysRecordSampler(new ParentBasedSampler({ root: new AlwaysOnSampler() })),
    spanLimits: { attributeValueLengthLimit: longestValue + 1 },
    spanProcessors: [gathering],
  });
  const tracer = provider.getTracer("proofroom", options.version);

  function handOn({ spans, run, completed }: EndedGroup): void {
    for (const sender of senders) sender.send(spans);
    if (run !== undefined) runs?.add(run, spans.map(toRecord));
    if (completed !== undefined) runs?.compose(completed);
  }

  function open(start: SpanStart): OpenSpan {
    const here = storage.getStore();
    const remote = contextOf(start.parent);
    // What another process began, or nobody, is a piece of work of its own.
    const around = remote === undefined ? here?.group : undefined;
    const group = around ?? createSpanGroup(handOn);
    // Where there are too many, the work is told of by the span around it.
    if (!group.admit()) return silentSpan;
    const parent = remote ?? here?.parent;
    const ids = { ...here?.ids, ...start.ids };
    group.assign(ids.run);
    const made = tracer.startSpan(
      start.name,
      {
        kind: kinds[start.kind ?? "internal"],
        ...(start.since === undefined ? {} : { startTime: start.since }),
      },
      parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    );
    groups.set(made, group);
    const self = made.spanContext();
    // What comes of a request belongs to the request; what comes of a job to what the job belongs to.
    const root = remote === undefined ? (here?.root ?? self) : start.kind === "consumer" ? remote : self;
    const span: OpenSpan = {
      ...createSdkSpan(made, { redact, captures: options.captureContent, longest: longestValue }),
      run: (work) => storage.run({ span, parent: self, root, group, ids }, work),
      end() {
        made.end();
        if (group !== around) group.end();
      },
    };
    span.set({ ...(ids.run === undefined ? {} : { [runAttribute]: ids.run }), ...start.attributes });
    for (const link of start.links ?? []) span.link(link);
    return span;
  }

  async function inSpan<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
    const span = open(start);
    try {
      return await span.run(() => work(span));
    } catch (error) {
      if (waits(error)) span.set({ [dispositionAttribute]: "wait" });
      else span.fail(typeOf(error));
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    span: inSpan,
    open,
    within(traceparent, ids, work) {
      const here = storage.getStore();
      const root = contextOf(traceparent);
      const merged = { ...here?.ids, ...ids };
      here?.group?.assign(merged.run);
      // What is at work in the same trace stays the sender.
      if (here !== undefined && (root === undefined || here.parent?.traceId === root.traceId))
        return storage.run({ ...here, root: root ?? here.root, ids: merged }, work);
      return storage.run({ span: null, parent: root, root, group: null, ids: merged }, work);
    },
    active: () => storage.getStore()?.span ?? null,
    carried() {
      const here = storage.getStore();
      if (here?.parent === undefined || here.root === undefined) return null;
      return { traceparent: textOf(here.parent), trace_root: here.root.spanId };
    },
    ids() {
      const here = storage.getStore();
      const traceId = here?.parent?.traceId;
      return { ...here?.ids, ...(traceId === undefined ? {} : { trace: traceId }) };
    },
    ended(runId) {
      const group = storage.getStore()?.group;
      if (group == null) runs?.compose(runId);
      else group.completes(runId);
    },
    async close() {
      await Promise.all([
        within(runs?.close() ?? Promise.resolve(), closeMs),
        ...senders.map((sender) => within(sender.flush(), closeMs)),
      ]);
    },
  };
}
