import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("whoever gives up waiting for a turn ends at once, and the one behind still comes after the one before", async () => {
  const gaps: (() => void)[] = [];
  const turns = createTurns({ gapMs: 3_000, wait: () => new Promise((resolve) => void gaps.push(resolve)) });
  const log: string[] = [];
  const { signal } = new AbortController();
  const stop = new AbortController();
  const first = Promise.withResolvers<void>();
  const one = turns.take(async () => {
    await first.promise;
    log.push("one");
  }, signal);
  const two = turns.take(async () => void log.push("two"), stop.signal);
  const three = turns.take(async () => void log.push("three"), signal);
  stop.abort(new Error("stopped by a person"));
  await expect(two).rejects.toThrow("stopped by a person");
  expect(log).toEqual([]);
  first.resolve();
  await one;
  expect(log).toEqual(["one"]);
  gaps.shift()?.();
  await three;
  expect(log).toEqual(["one", "three"]);
});

test("work that fails gives the turn on", async () => {
  const turns = createTurns({ gapMs: 3_000, wait: async () => {} });
  const { signal } = new AbortController();
  const broken = turns.take(async () => {
    throw new Error("broken");
  }, signal);
  await expect(broken).rejects.toThrow("broken");
  await expect(turns.take(async () => "next", signal)).resolves.toBe("next");
});
