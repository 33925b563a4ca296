import { type Fields, readProtobuf } from "./read-protobuf.ts";

type Value = string | number | boolean | Value[];

/** A span as a backend has it. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  name: string;
  /** As OTLP numbers them: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  service: string;
  attributes: Readonly<Record<string, Value>>;
  events: readonly { name: string; attributes: Readonly<Record<string, Value>> }[];
  links: readonly { traceId: string; spanId: string }[];
  /** 0 unset, 1 ok, 2 error. */
  status: number;
}

function all(fields: Fields, field: number): Uint8Array[] {
  return fields.flatMap((one) => (one.field === field && typeof one.value === "object" ? [one.value] : []));
}

function number(fields: Fields, field: number): number {
  const found = fields.find((one) => one.field === field)?.value;
  return typeof found === "bigint" ? Number(found) : 0;
}

function text(fields: Fields, field: number): string {
  return Buffer.from(all(fields, field)[0] ?? []).toString("utf8");
}

function hex(fields: Fields, field: number): string {
  return Buffer.from(all(fields, field)[0] ?? []).toString("hex");
}

function doubleOf(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

/** `AnyValue` of OTLP. */
function anyValue(bytes: Uint8Array): Value {
  for (const { field, value } of readProtobuf(bytes)) {
    if (typeof value === "object" && field === 1) return Buffer.from(value).toString("utf8");
    if (typeof value === "object" && field === 5) return all(readProtobuf(value), 1).map(anyValue);
    if (typeof value === "bigint" && field === 2) return value !== 0n;
    if (typeof value === "bigint" && field === 3) return Number(BigInt.asIntN(64, value));
    if (typeof value === "bigint" && field === 4) return doubleOf(value);
  }
  return "";
}

function attributes(fields: Fields, field: number): Record<string, Value> {
  return Object.fromEntries(
    all(fields, field).map((pair) => {
      const parts = readProtobuf(pair);
      return [text(parts, 1), anyValue(all(parts, 2)[0] ?? new Uint8Array())];
    }),
  );
}

function spanOf(bytes: Uint8Array, service: string): ReceivedSpan {
  const span = readProtobuf(bytes);
  const status = all(span, 15)[0];
  return {
    traceId: hex(span, 1),
    spanId: hex(span, 2),
    parentId: hex(span, 4) || undefined,
    name: text(span, 5),
    kind: number(span, 6),
    service,
    attributes: attributes(span, 9),
    events: all(span, 11).map((event) => {
      const parts = readProtobuf(event);
      return { name: text(parts, 2), attributes: attributes(parts, 3) };
    }),
    links: all(span, 13).map((link) => {
      const parts = readProtobuf(link);
      return { traceId: hex(parts, 1), spanId: hex(parts, 2) };
    }),
    status: status === undefined ? 0 : number(readProtobuf(status), 3),
  };
}

/**
 * The spans of an `ExportTraceServiceRequest`.
 * @throws Error where the bytes are none
 */
export function decodeTraces(body: Uint8Array): ReceivedSpan[] {
  return all(readProtobuf(body), 1).flatMap((resourceSpans) => {
    const parts = readProtobuf(resourceSpans);
    const resource = attributes(readProtobuf(all(parts, 1)[0] ?? new Uint8Array()), 1);
    const service = String(resource["service.name"] ?? "");
    return all(parts, 2).flatMap((scope) => all(readProtobuf(scope), 2).map((span) => spanOf(span, service)));
  });
}
