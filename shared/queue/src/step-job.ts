import { ProofroomError, runIdSchema, stepIdSchema } from "@proofroom/contracts";
import { z } from "zod";

/** What travels through the queue: ids, and the input where it is small. Text lives in the store. */
export const stepJobSchema = z.object({
  v: z.literal(1),
  run_id: runIdSchema,
  capability: z.string(),
  step_id: stepIdSchema,
  generation: z.int().positive(),
  input: z.record(z.string(), z.unknown()).optional(),
  /** Name of the artifact that holds an input too large for the queue. */
  input_ref: z.string().optional(),
  /** Of a child: the step that fanned it out. */
  parent: z.string().optional(),
  /** The span that sent it, after W3C Trace Context; and the one of that trace that its execution is part of. */
  traceparent: z.string().max(100).optional().catch(undefined),
  trace_root: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional()
    .catch(undefined),
});
export type StepJob = z.infer<typeof stepJobSchema>;

/** Job data and return values stay under this many bytes of JSON: Redis holds every job in memory. */
export const payloadLimit = 1_024;

/** @throws ProofroomError invalid_input: whoever submits must put a large input into the store, and nothing but JSON travels */
export function assertSmall(value: unknown): void {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new ProofroomError({ code: "invalid_input", message: "The payload is not JSON.", cause });
  }
  if (Buffer.byteLength(text) > payloadLimit) {
    throw new ProofroomError({ code: "invalid_input", message: "The payload is too large for the queue." });
  }
}
