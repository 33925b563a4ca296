export interface Message {
  id: string | undefined;
  event: string | undefined;
  data: string;
  /** Of a comment. */
  comment: boolean;
}

/** Asks for the events of a run. */
export function watch(url: string, runId: string, lastEventId?: string): Promise<Response> {
  return fetch(`${url}/v1/runs/${runId}/events`, {
    headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
  });
}

/** The messages of an event stream, until it ends or breaks. */
export async function* messages(answer: Response): AsyncGenerator<Message> {
  let text = "";
  const body = answer.body?.pipeThrough(new TextDecoderStream());
  if (body === undefined) return;
  try {
    for await (const chunk of body) {
      text += chunk;
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(part)?.[1];
        yield {
          id: field("id"),
          event: field("event"),
          data: field("data") ?? "",
          comment: part.startsWith(":"),
        };
      }
    }
  } catch {
    // The replica is gone: the client goes on elsewhere.
  }
}
