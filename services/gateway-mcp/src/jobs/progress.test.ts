import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { openProgress } from "./progress.ts";

async function spaced(says: readonly (() => void)[]): Promise<void> {
  vi.useFakeTimers({ toFake: ["performance"] });
  for (const say of says) {
    say();
    vi.advanceTimersByTime(1_000);
  }
  vi.useRealTimers();
}

describe("progress", () => {
  it("rises strictly and keeps its order though the client takes messages slowly", async () => {
    const taken: { progress: number; message: string }[] = [];
    const progress = openProgress(async (update) => {
      await turn();
      taken.push(update);
    }, new AbortController().signal);
    await spaced(["a", "b", "c"].map((message) => () => progress.say(message)));
    await progress.close();
    expect(taken).toEqual([
      { progress: 1, message: "a" },
      { progress: 2, message: "b" },
      { progress: 3, message: "c" },
    ]);
  });

  it("says nothing after it was closed: a message after the response ends some clients", async () => {
    const send = vi.fn(async () => undefined);
    const progress = openProgress(send, new AbortController().signal);
    await spaced([() => progress.say("a")]);
    await progress.close();
    progress.say("b");
    await turn();
    expect(send).toHaveBeenCalledOnce();
  });

  it("leaves out messages that follow too closely", async () => {
    const send = vi.fn(async () => undefined);
    const progress = openProgress(send, new AbortController().signal);
    for (let n = 0; n < 100; n += 1) progress.say(String(n));
    await progress.close();
    expect(send.mock.calls.length).toBeLessThan(10);
  });

  it("waits for no client that is gone, and survives one that takes nothing", async () => {
    const gone = new AbortController();
    const progress = openProgress(() => new Promise(() => undefined), gone.signal);
    progress.say("a");
    const closed = progress.close();
    gone.abort();
    await closed;
    const refusing = openProgress(() => Promise.reject(new Error("closed")), new AbortController().signal);
    refusing.say("a");
    await refusing.close();
  });
});
