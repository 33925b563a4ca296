import { setTimeout as pause } from "node:timers/promises";

/**
 * Waits until the condition holds, which is looked at so often; fails after the time given, also where one look does not come to
 * an end. Both in milliseconds.
 */
export async function eventually(
  condition: () => Promise<boolean> | boolean,
  timeoutMs = 20_000,
  everyMs = 20,
): Promise<void> {
  const end = Date.now() + timeoutMs;

  /** What the condition says; null where it says nothing in time. The last look has a little of its own. */
  async function look(): Promise<boolean | null> {
    const answered = new AbortController();
    const { signal } = answered;
    const late = pause(Math.max(end - Date.now(), everyMs), null, { signal }).catch(() => null);
    try {
      return await Promise.race([condition(), late]);
    } finally {
      answered.abort();
    }
  }

  for (;;) {
    const holds = await look();
    if (holds === true) return;
    if (holds === null || Date.now() > end)
      throw new Error(`the condition did not come true within ${timeoutMs} ms`);
    await pause(everyMs);
  }
}
