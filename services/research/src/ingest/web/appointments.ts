/** When those come back who find no room: one after another, and not all at once. */
export interface Appointments {
  /**
   * How long the next of them stays away, in milliseconds.
   * @param earliestMs there is no room before
   * @param apartMs between this one and the one before
   */
  next(earliestMs: number, apartMs: number): number;
}

/** Nobody is sent away for longer, however many wait: the others may have been cancelled meanwhile. Milliseconds. */
const longestMs = 300_000;

/** @param time now, in milliseconds */
export function createAppointments(time: () => number): Appointments {
  let last = Number.NEGATIVE_INFINITY;
  return {
    next(earliestMs, apartMs) {
      const now = time();
      last = Math.min(Math.max(now + earliestMs, last + apartMs), now + longestMs);
      return Math.round(last - now);
    },
  };
}
