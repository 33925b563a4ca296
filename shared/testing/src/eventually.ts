import { setTimeout as pause } from "node:timers/promises";

/** Waits until the condition holds, which is looked at so often; fails after the time given. Both in milliseconds. */
export async function eventually(
  condition: () => Promise<boolean> | boolean,
  timeoutMs = 20_000,
  everyMs = 20,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`the condition did not come true within ${timeoutMs} ms`);
    await pause(everyMs);
  }
}
