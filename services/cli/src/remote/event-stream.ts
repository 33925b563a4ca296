import { type RunEvent, runEventSchema } from "@proofroom/contracts";

/** One message of a stream of server-sent events. */
export type StreamMessage = { kind: "event"; event: RunEvent } | { kind: "gap"; id: string | undefined };

/** The messages of a stream, as far as it is whole; keep-alives and what a later version may add are passed over. */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage> {
  let text = "";
  for await (const chunk of body.pipeThrough(
    new TextDecoderStream() as TransformStream<Uint8Array, string>,
  )) {
    text += chunk;
    const messages = text.split("\n\n");
    text = messages.pop() ?? "";
    for (const message of messages) {
      const read = readMessage(message);
      if (read !== null) yield read;
    }
  }
}

function readMessage(text: string): StreamMessage | null {
  const fields = new Map<string, string>();
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart());
  }
  if (fields.get("event") === "gap") return { kind: "gap", id: fields.get("id") };
  const data = fields.get("data");
  if (data === undefined) return null;
  const parsed = runEventSchema.safeParse(parsedOrNull(data));
  return parsed.success ? { kind: "event", event: parsed.data } : null;
}

function parsedOrNull(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
