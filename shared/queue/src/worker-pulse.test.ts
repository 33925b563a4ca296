import { expect, it } from "vitest";
import { createWorkerPulse } from "./worker-pulse.ts";

const up = { closing: false, paused: false, connected: true };

it("a worker is ready while its loop turns, and not before or after", () => {
  let now = 0;
  const pulse = createWorkerPulse(() => now);
  expect(pulse.health(up).state).toBe("starting");
  pulse.beat();
  expect(pulse.health(up)).toEqual({ state: "ready", silentMs: 0 });
  now += 10_000;
  expect(pulse.health(up).state).toBe("ready");
  now += 10_000;
  expect(pulse.health(up)).toEqual({ state: "silent", silentMs: 20_000 });
  pulse.beat();
  expect(pulse.health(up).state).toBe("ready");
});

it("a connection that is back does not make it ready, nor does an old beat make it stuck", () => {
  let now = 0;
  const pulse = createWorkerPulse(() => now);
  pulse.beat();
  now += 3_600_000;
  pulse.lose();
  expect(pulse.health({ ...up, connected: false }).state).toBe("disconnected");
  now += 100;
  expect(pulse.health(up)).toEqual({ state: "starting", silentMs: 100 });
});

it.each([
  [{ ...up, closing: true, connected: false }, "closing"],
  [{ ...up, paused: true }, "paused"],
])("what was done on purpose is told rather than what follows of it", (now, state) => {
  const pulse = createWorkerPulse(() => 0);
  pulse.beat();
  expect(pulse.health(now).state).toBe(state);
});
