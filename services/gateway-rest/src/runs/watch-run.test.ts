import { once } from "node:events";
import type { RunEvent } from "@proofroom/contracts";
import { comparePositions, type EventLog } from "@proofroom/queue";
import { describe, expect, it } from "vitest";
import { isComplete, type Watched, watchRun } from "./watch-run.ts";

const runId = "run_01J00000000000000000000000";

function event(id: string, type: RunEvent["type"]): RunEvent {
  return { v: 1, id, at: "2026-01-01T00:00:00.000Z", run_id: runId, type };
}

/** Who follows a log at the moment: whoever is left keeps a connection to Redis. */
let followers = 0;

/** A log that holds these events and gets no others. */
function logOf(...kept: RunEvent[]): EventLog {
  return {
    publish: () => undefined,
    flush: async () => undefined,
    position: async () => kept.at(-1)?.id ?? "0",
    async *follow(_runId, after, signal) {
      followers += 1;
      try {
        for (const one of kept) if (comparePositions(one.id, after) > 0) yield one;
        if (!signal.aborted) await once(signal, "abort");
      } finally {
        followers -= 1;
      }
    },
  };
}

async function watched(events: EventLog, after: string | null, ended: boolean): Promise<string[]> {
  const told: string[] = [];
  const options = { events, runId, after, hasEnded: async () => ended, heartbeatMs: 5 };
  const stop = new AbortController();
  const words: Record<Watched["kind"], (told: Watched) => string> = {
    event: (one) => (one.kind === "event" ? one.event.id : ""),
    gap: () => "gap",
    silence: () => "silence",
  };
  for await (const one of watchRun({ ...options, signal: stop.signal })) {
    told.push(words[one.kind](one));
    if (told.filter((word) => word === "silence").length === 2) stop.abort();
  }
  expect(followers).toBe(0);
  return told;
}

describe("watching", () => {
  const started = event("10-0", "run.started");
  const finished = event("12-3", "run.finished");

  it.each([
    ["from the beginning to the end", [started, finished], null, true, ["10-0", "12-3"]],
    ["after an event", [started, finished], "10-0", true, ["12-3"]],
    [
      "over an end that a resume has undone",
      [started, finished],
      null,
      false,
      ["10-0", "12-3", "silence", "silence"],
    ],
    ["to the end of the ledger where its word was lost", [started], null, true, ["10-0", "silence"]],
    ["with a gap where older events were dropped", [finished], "10-0", true, ["gap", "12-3"]],
    ["with a gap where the log begins anew", [started], "99-0", false, ["gap", "10-0", "silence", "silence"]],
    ["with a gap where the log of a moving run is empty", [], "99-0", false, ["gap", "silence", "silence"]],
    ["with a gap alone where nothing is kept of a run that ended", [], null, true, ["gap"]],
    ["an empty log of a run that begins", [], null, false, ["silence", "silence"]],
  ])("goes %s", async (_name, kept, after, ended, told) => {
    expect(await watched(logOf(...kept), after, ended)).toEqual(told);
  });

  it("is complete only where the run has ended and its last event was had", async () => {
    const of = (kept: RunEvent[], after: string | null, ended: boolean) =>
      isComplete({ events: logOf(...kept), runId, after, hasEnded: async () => ended });
    expect(await of([started, finished], "12-3", true)).toBe(true);
    expect(await of([started, finished], "12-3", false)).toBe(false);
    expect(await of([started, finished], "10-0", true)).toBe(false);
    expect(await of([started, finished], null, true)).toBe(false);
    expect(await of([], "0-1", true)).toBe(true);
    expect(await of([], "10-0", true)).toBe(false);
  });
});
