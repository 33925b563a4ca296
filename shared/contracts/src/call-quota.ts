import { z } from "zod";

const amount = z.int().positive().optional();

/** What may be sent to an outside system, by everybody together. Not set: as much as one likes. */
export const callLimitsSchema = z.strictObject({
  requests_per_minute: amount,
  tokens_per_minute: amount,
  requests_per_day: amount,
  tokens_per_day: amount,
});
export type CallLimits = z.output<typeof callLimitsSchema>;

export type CallGrant =
  | { granted: true; id: string }
  /** When to ask again, in milliseconds from now; `crowded` where smaller calls may take the room until then. */
  | { granted: false; waitMs: number; crowded: boolean };

/** A call that waits for room. */
export interface WaitingCall {
  /** What it is known by whenever it asks. */
  waiter: string;
  tokens: number;
  /** When it asks again, in milliseconds from now. */
  waitMs: number;
}

/** The port through which all workers share what they may send to each outside system; the queue implements it. */
export interface CallQuota {
  /**
   * Reserves one call of about so many tokens, or nothing. Room that calls which lined up earlier wait for is not given away.
   * @param waiter what the call is known by, where it may have lined up
   * @throws ProofroomError dependency_down
   */
  reserve(target: string, limits: CallLimits, tokens: number, waiter?: string): Promise<CallGrant>;
  /** Keeps room for a call that was crowded out from those that come later, until it should have asked again. */
  lineUp(target: string, call: WaitingCall): Promise<void>;
  /** The call is over: corrects its reservation to the tokens that it really had. */
  settle(target: string, id: string, tokens: number): Promise<void>;
  /** Keeps everybody from the target for so many milliseconds. A longer time that stands already stays. */
  cool(target: string, forMs: number): Promise<void>;
}
