import { describe, expect, it } from "vitest";
import { streamWhenLate } from "./stream-when-late.ts";

const message = { jsonrpc: "2.0", id: 1, result: { text: "two\nlines" } };
const encoder = new TextEncoder();
const hurried = { beginMs: 1, aliveMs: 1 };

/** Reads a stream until it has said that it lives, has it answered, and reads on. */
async function readAll(response: Response, answer: () => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text === ": alive\n\n: alive\n\n") answer();
  }
  return text.replaceAll(": alive\n\n", "");
}

describe("an answer", () => {
  it("that comes soon keeps its status", async () => {
    const soon = Response.json(message, { status: 400 });
    expect(await streamWhenLate(Promise.resolve(soon), { beginMs: 60_000, aliveMs: 60_000 })).toBe(soon);
  });

  it("that comes late is the one message of a stream that has said meanwhile that it lives", async () => {
    const late = Promise.withResolvers<Response>();
    const response = await streamWhenLate(late.promise, hurried);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const text = await readAll(response, () => late.resolve(Response.json(message)));
    expect(text).toBe(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  });

  it("that is a stream itself goes on in the stream that has begun", async () => {
    const late = Promise.withResolvers<Response>();
    const response = await streamWhenLate(late.promise, hurried);
    const headers = { "content-type": "text/event-stream" };
    const text = await readAll(response, () => late.resolve(new Response("data: 1\n\n", { headers })));
    expect(text).toBe("data: 1\n\n");
  });

  it("that is a stream at once, and is silent, says that it lives, keeps its status and goes on", async () => {
    const first = Promise.withResolvers<string>();
    const headers = { "content-type": "text/event-stream", "x-own": "1" };
    const body = ReadableStream.from(
      (async function* () {
        yield encoder.encode(await first.promise);
        yield encoder.encode("data: 2\n\n");
      })(),
    );
    const soon = new Response(body, { status: 203, headers });
    const response = await streamWhenLate(Promise.resolve(soon), hurried);
    expect(response.status).toBe(203);
    expect(response.headers.get("x-own")).toBe("1");
    expect(await readAll(response, () => first.resolve("data: 1\n\n"))).toBe("data: 1\n\ndata: 2\n\n");
  });

  it("that is a stream at once, and speaks, stays as it is", async () => {
    const headers = { "content-type": "text/event-stream" };
    const soon = new Response("data: 1\n\n", { headers });
    const response = await streamWhenLate(Promise.resolve(soon), { beginMs: 60_000, aliveMs: 60_000 });
    expect(await response.text()).toBe("data: 1\n\n");
  });

  it("whose reader is gone ends what it comes from", async () => {
    const gone = Promise.withResolvers<void>();
    const headers = { "content-type": "text/event-stream" };
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(encoder.encode("data: 1\n\n")),
      cancel: () => gone.resolve(),
    });
    const response = await streamWhenLate(Promise.resolve(new Response(body, { headers })), hurried);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await gone.promise;
  });

  it("that never comes, since the caller is gone, ends the stream without a message", async () => {
    const late = Promise.withResolvers<Response>();
    const response = await streamWhenLate(late.promise, hurried);
    expect(await readAll(response, () => late.resolve(new Response(null, { status: 499 })))).toBe("");
  });

  it("that fails late breaks its stream, so that nobody takes it for whole", async () => {
    const late = Promise.withResolvers<Response>();
    const response = await streamWhenLate(late.promise, hurried);
    await expect(readAll(response, () => late.reject(new Error("closed")))).rejects.toThrow();
  });
});
