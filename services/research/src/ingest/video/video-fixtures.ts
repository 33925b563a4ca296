import { clockOf } from "./clock.ts";

interface Talk {
  from?: number;
  to: number;
  duration?: string;
  title?: string;
  every?: number;
  /** The time from which on nothing is told for 60 seconds. */
  silentFrom?: number;
}

/** A talk as a model that behaves transcribes it: a timestamp every 25 seconds, between two times in seconds. */
export function talk(of: Talk = { to: 120 }): string {
  const { from = 0, to, title = "Retries in practice", every = 25, silentFrom = to } = of;
  const lines = [`Status: ok`, `Title: ${title}`, `Duration: ${of.duration ?? clockOf(to)}`, ""];
  for (let seconds = from; seconds < to; seconds += seconds === silentFrom ? 60 : every) {
    lines.push(
      `[${clockOf(seconds)}] Point ${seconds} of the talk is that clients wait before they ask again.`,
    );
    if (seconds % 100 === 0) lines.push(`(Shown: slide ${seconds / 100} with the title "Backoff")`);
  }
  return lines.join("\n");
}
