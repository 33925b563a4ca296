import { z } from "zod";

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const attributes = z.record(z.string(), value);

/** A line of `.nova/trace.jsonl`: one span that has ended. Times in microseconds, since 1970 or long. */
export const spanRecordSchema = z.object({
  trace_id: z.string().regex(/^[0-9a-f]{32}$/),
  span_id: z.string().regex(/^[0-9a-f]{16}$/),
  /** Without it the span begins a trace. */
  parent_id: z.string().optional(),
  name: z.string(),
  kind: z.enum(["internal", "server", "client", "producer", "consumer"]),
  service: z.string(),
  start_us: z.int().nonnegative(),
  duration_us: z.int().nonnegative(),
  failed: z.boolean(),
  attributes,
  events: z.array(z.object({ name: z.string(), at_us: z.int().nonnegative(), attributes })).optional(),
  links: z.array(z.object({ trace_id: z.string(), span_id: z.string() })).optional(),
});
export type SpanRecord = z.infer<typeof spanRecordSchema>;
