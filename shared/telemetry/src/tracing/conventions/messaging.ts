import { formatTraceparent, parseTraceparent } from "../traceparent.ts";
import type { SpanStart } from "../tracing.ts";
import { attemptAttribute } from "./proofroom.ts";

// After the semantic conventions for messaging, which have no value for the queue used here: their names stand here and nowhere else.

export interface Message {
  /** The queue's name. */
  destination: string;
  id: string;
  runId: string;
}

function attributesOf({ destination, id }: Message, operation: "send" | "process") {
  return {
    "messaging.system": "bullmq",
    "messaging.operation.name": operation,
    "messaging.operation.type": operation,
    "messaging.destination.name": destination,
    "messaging.message.id": id,
  };
}

/** Putting a job into a queue. */
export function sendSpan(message: Message): SpanStart {
  return {
    name: `send ${message.destination}`,
    kind: "producer",
    attributes: attributesOf(message, "send"),
    ids: { run: message.runId },
  };
}

/** One attempt of a job: linked to what sent it, and part of what that belongs to. */
export function processSpan(
  message: Message,
  from: { attempt: number; traceparent?: string | undefined; trace_root?: string | undefined },
): SpanStart {
  const sender = parseTraceparent(from.traceparent);
  const { trace_root: spanId } = from;
  return {
    name: `process ${message.destination}`,
    kind: "consumer",
    parent: sender === null || spanId === undefined ? undefined : formatTraceparent({ ...sender, spanId }),
    links: from.traceparent === undefined ? [] : [from.traceparent],
    attributes: { ...attributesOf(message, "process"), [attemptAttribute]: from.attempt },
    ids: { run: message.runId, job: message.id },
  };
}
