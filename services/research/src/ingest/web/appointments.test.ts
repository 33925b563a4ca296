import { expect, test } from "vitest";
import { createAppointments } from "./appointments.ts";

test("two hundred who find no room come back one after another, so that none comes in vain again and again", () => {
  let now = 1_000;
  const appointments = createAppointments(() => now);
  const delays = Array.from({ length: 200 }, () => appointments.next(1_000, 500));
  expect(delays.slice(0, 3)).toEqual([1_000, 1_500, 2_000]);
  expect(delays.at(-1)).toBe(1_000 + 199 * 500);
  now += 10_000;
  expect(appointments.next(1_000, 500)).toBe(1_000 + 200 * 500 - 10_000);
});

test("nobody is sent away for ever, and those of long ago hold up no one", () => {
  let now = 0;
  const appointments = createAppointments(() => now);
  for (let n = 0; n < 5_000; n += 1) expect(appointments.next(1_000, 1_000)).toBeLessThanOrEqual(300_000);
  now += 3_600_000;
  expect(appointments.next(2_000, 1_000)).toBe(2_000);
});
