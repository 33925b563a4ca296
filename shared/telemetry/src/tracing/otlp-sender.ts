import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { OTLPExporterBase } from "@opentelemetry/otlp-exporter-base";
import {
  createOtlpHttpExportDelegate,
  httpAgentFactoryFromOptions,
} from "@opentelemetry/otlp-exporter-base/node-http";
import { ProtobufTraceSerializer, TraceExporterMetricsHelper } from "@opentelemetry/otlp-transformer";
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from "@opentelemetry/sdk-trace";
import type { Destination } from "./destinations.ts";

/** How long one delivery may take, tries included, and how long spans are gathered for one; milliseconds. */
const deliveryMs = 3_000;
const gatherMs = 1_000;

/** Spans that wait for a backend that is slow; more are dropped. */
const waitingAtMost = 8_192;

export interface Sender {
  send(spans: readonly ReadableSpan[]): void;
  /** Sends what waits. */
  flush(): Promise<void>;
}

/**
 * Sends spans to one backend, in batches and without ever holding anybody up. Put together from the parts of OpenTelemetry's
 * exporter: the whole takes the headers of `OTEL_EXPORTER_OTLP_HEADERS` from the environment, for whichever backend.
 */
export function createSender({ url, headers }: Destination, onTrouble: (error: unknown) => void): Sender {
  const delegate = createOtlpHttpExportDelegate<ReadableSpan[], object>(
    {
      url,
      headers: async () => ({ ...headers, "content-type": "application/x-protobuf" }),
      timeoutMillis: deliveryMs,
      concurrencyLimit: 4,
      compression: "none",
      agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
    },
    ProtobufTraceSerializer,
    "otlp_http_span_exporter",
    TraceExporterMetricsHelper,
    undefined,
  );
  const inner: SpanExporter = new OTLPExporterBase<ReadableSpan[]>(delegate);
  const exporter: SpanExporter = {
    export: (spans, done) =>
      inner.export(spans, (result: ExportResult) => {
        if (result.code !== ExportResultCode.SUCCESS) onTrouble(result.error);
        // It was told; the processor would tell it to whoever listens to OpenTelemetry's own log, which is nobody.
        done({ code: ExportResultCode.SUCCESS });
      }),
    shutdown: () => inner.shutdown(),
  };
  const processor = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: gatherMs,
    exportTimeoutMillis: deliveryMs,
    maxQueueSize: waitingAtMost,
  });
  return {
    send(spans) {
      for (const span of spans) processor.onEnd(span);
    },
    flush: () => processor.shutdown(),
  };
}
