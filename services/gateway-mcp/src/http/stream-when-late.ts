import { setTimeout as pause } from "node:timers/promises";

/** How long an answer may say nothing at first, and how often its stream then says that it lives; in milliseconds. */
export interface Patience {
  beginMs: number;
  aliveMs: number;
}

const streamType = "text/event-stream";
const streamHeaders = {
  "content-type": streamType,
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
const encoder = new TextEncoder();
const alive = encoder.encode(": alive\n\n");

function unlessIn<T>(ms: number, answer: Promise<T>): Promise<T | undefined> {
  return Promise.race([answer, pause(ms, undefined, { ref: false })]);
}

function isStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith(streamType) === true;
}

async function* messagesOf(answer: Promise<Response>): AsyncGenerator<Uint8Array> {
  const response = await answer;
  if (response.body === null) return;
  if (isStream(response)) yield* response.body;
  else yield encoder.encode(`event: message\ndata: ${await response.text()}\n\n`);
}

/** The messages; until the first comes, signs of life: one after `firstMs`, then one every `aliveMs`. Later the SDK gives them. */
async function* signsOfLife(
  messages: AsyncGenerator<Uint8Array>,
  firstMs: number,
  aliveMs: number,
): AsyncGenerator<Uint8Array> {
  try {
    const first = messages.next();
    let begun = await unlessIn(firstMs, first);
    while (begun === undefined) {
      yield alive;
      begun = await unlessIn(aliveMs, first);
    }
    if (begun.done !== true) yield begun.value;
    yield* messages;
  } finally {
    // Whoever reads may be gone; a message that is still on its way is not waited for.
    messages.return(undefined).catch(() => undefined);
  }
}

/**
 * An answer as it is where it comes soon, with its own HTTP status; else an event stream that begins at once, since
 * connections that stay silent are cut, and ends with the answer. A stream that comes soon but says nothing says soon that it lives.
 */
export async function streamWhenLate(
  answer: Promise<Response>,
  { beginMs, aliveMs }: Patience,
): Promise<Response> {
  const soon = await unlessIn(beginMs, answer);
  if (soon !== undefined && !isStream(soon)) return soon;
  const lively = signsOfLife(messagesOf(answer), soon === undefined ? 0 : beginMs, aliveMs);
  return new Response(ReadableStream.from(lively), {
    status: soon?.status ?? 200,
    headers: soon?.headers ?? streamHeaders,
  });
}
