import type { RunEvent } from "@proofroom/contracts";
import type { RunDescription } from "@proofroom/runtime/records";

/** A wait as a run told it: what for, and the seconds until it goes on; none of a time that it did not tell. */
export interface ToldWait {
  what: string;
  seconds: number;
}

/** A short wait is told as progress, which says how long it is; a longer one gives the step back until its time. */
export function waitToldBy({ type, at, message = "", error, waiting_until }: RunEvent): ToldWait | null {
  const [, what, seconds] = /^(.*); going on in (\d+) s$/.exec(message) ?? [];
  if (type === "step.progress" && what !== undefined) return { what, seconds: Number(seconds) };
  if (type !== "step.waiting") return null;
  return { what: error?.message ?? "", seconds: secondsTo(waiting_until, at) };
}

/** What `status` says of a run that waits: the only word of one of whose steps only children wait. */
export function waitShownBy({ status, waiting_until }: RunDescription): ToldWait | null {
  if (status !== "waiting_quota") return null;
  return { what: status, seconds: secondsTo(waiting_until, new Date().toISOString()) };
}

function secondsTo(until: string | null | undefined, from: string): number {
  return until == null ? 0 : (Date.parse(until) - Date.parse(from)) / 1_000;
}
