import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { geminiBody } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestIngest, type TestIngest } from "../../testing/video-ingest.ts";
import { talk } from "./video-fixtures.ts";

const seconds = 39 * 60;
const answer = { body: geminiBody(talk({ to: seconds })) };

let place: TestIngest;

beforeEach(async () => {
  place = await openTestIngest();
});

afterEach(() => place.close());

/** The ports to which connections were made while the work was done, whoever made them. */
async function portsDuring(work: () => Promise<unknown>): Promise<Set<number>> {
  const ports = new Set<number>();
  const note = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.once("connect", () => ports.add(socket.remotePort ?? 0));
  };
  subscribe("net.client.socket", note);
  try {
    await work();
  } finally {
    unsubscribe("net.client.socket", note);
  }
  return ports;
}

/** What is held after all garbage was collected, in bytes: objects, and buffers beside them. */
function held(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

describe("a talk of 39 minutes", () => {
  it("is one short question to the provider, and nothing else is asked of anybody", async () => {
    const ports = await portsDuring(() => place.ingested(answer));
    expect([...ports]).toEqual([Number(new URL(place.gemini.base).port)]);
    const [asked, ...others] = place.gemini.requests;
    expect(others).toEqual([]);
    expect(asked).toMatchObject({ method: "POST", path: expect.stringMatching(/:generateContent$/) });
    expect(asked?.text.length).toBeLessThan(10_000);
  });

  it("takes no memory with it: after thirty talks no more is held than after three", async () => {
    const transcribe = async (talks: number) => {
      for (let n = 0; n < talks; n += 1) await place.ingested(answer);
    };
    await transcribe(3);
    const before = held();
    await transcribe(30);
    // A minute of the video itself would be more.
    expect(held() - before).toBeLessThan(4_000_000);
  });
});
