import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { ProofroomError, toProofroomError } from "@proofroom/contracts";
import { cancelled, throwIfAborted } from "./failures.ts";
import type { Body, GetOptions, PutOptions } from "./store.ts";

async function* fromStream(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stop = () => void reader.cancel(signal?.reason).catch(() => undefined);
  // A stream that has stalled never comes to the check below: cancelling it ends the read that waits.
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  let ended = false;
  try {
    for (;;) {
      const next = await reader.read();
      throwIfAborted(signal);
      ended = next.done;
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    throw toProofroomError(error);
  } finally {
    signal?.removeEventListener("abort", stop);
    if (!ended) stop();
  }
}

/**
 * The bytes that a writer hands in, checked at their end against the sha256 that was announced.
 * @throws ProofroomError cancelled; invalid_input where the content is not what was announced; what the stream failed with
 */
export async function* incoming(body: Body, options: PutOptions): AsyncGenerator<Uint8Array> {
  const { signal, sha256 } = options;
  const hash = sha256 === undefined ? undefined : createHash("sha256");
  const whole = typeof body === "string" ? Buffer.from(body) : body;
  const chunks = whole instanceof ReadableStream ? fromStream(whole, signal) : [whole];
  for await (const chunk of chunks) {
    throwIfAborted(signal);
    hash?.update(chunk);
    yield chunk;
  }
  if (hash?.digest("hex") !== sha256) {
    throw new ProofroomError({
      code: "invalid_input",
      message: "The content does not have the sha256 that was announced.",
      disposition: { kind: "retry" },
    });
  }
}

/** Finds out before the body is read that its write is bound to fail, and lets go of it then. */
export async function lookBefore(body: Body, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (body instanceof ReadableStream) await body.cancel(error).catch(() => undefined);
    throw error;
  }
}

/**
 * Hands a Node stream out as a web stream that reads only when asked, ends with the signal, and fails with
 * ProofroomErrors. Cancelling it, or its end, frees what is behind the source.
 */
export function outgoing(
  source: Readable,
  options: { signal: AbortSignal | undefined; failure: (error: unknown) => unknown },
): ReadableStream<Uint8Array> {
  const { signal } = options;
  const stop = () => void source.destroy(signal === undefined ? undefined : cancelled(signal));
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  source.once("close", () => signal?.removeEventListener("abort", stop));
  // Told to whoever reads; without a listener it would end the process before anyone does.
  source.on("error", () => undefined);
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          if (next.done === true) controller.close();
          else controller.enqueue(next.value);
        } catch (error) {
          throw options.failure(error);
        }
      },
      cancel() {
        source.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Bytes that are there already, as the body of an object. */
export function bodyOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

/**
 * Checks that a range is one at all; whether it lies inside the object is the store's to say.
 * @throws ProofroomError invalid_input
 */
export function assertRange(range: NonNullable<GetOptions["range"]>): void {
  const { start, end = Number.MAX_SAFE_INTEGER } = range;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start)
    throw outOfRange();
}

export function outOfRange(cause?: unknown): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message: "The range lies outside the object.",
    cause,
  });
}
