import { expect, test } from "vitest";
import { readEventStream } from "./event-stream.ts";

const event = (id: string) => ({
  v: 1,
  id,
  at: "2026-01-05T09:00:00.000Z",
  run_id: "run_01J8ZZZZZZZZZZZZZZZZZZZZZZ",
  type: "step.started",
  message: "naïve: a: b",
});

async function read(text: string, chunkBytes: number) {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += chunkBytes)
        controller.enqueue(bytes.slice(at, at + chunkBytes));
      controller.close();
    },
  });
  const messages = [];
  for await (const message of readEventStream(body)) messages.push(message);
  return messages;
}

test.each([1, 7, 10_000])(
  "events come out whole, however the bytes were cut (%i at a time)",
  async (chunkBytes) => {
    const frames = [
      "retry: 1000\n\n",
      ":\n\n",
      `id: 1-0\nevent: step.started\ndata: ${JSON.stringify(event("1-0"))}\n\n`,
      'event: gap\nid: 5-0\ndata: {"message":"lost"}\n\n',
      'event: of.a.later.version\ndata: {"v":2}\n\n',
      "event: of.a.later.version\ndata: no JSON\n\n",
      `id: 6-0\nevent: step.started\ndata: ${JSON.stringify(event("6-0"))}\n\n`,
      `id: 7-0\nevent: step.started\ndata: ${JSON.stringify(event("7-0"))}`,
    ];
    expect(await read(frames.join(""), chunkBytes)).toEqual([
      { kind: "event", event: event("1-0") },
      { kind: "gap", id: "5-0" },
      { kind: "event", event: event("6-0") },
    ]);
  },
);
