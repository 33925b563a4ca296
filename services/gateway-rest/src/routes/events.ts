import { Readable } from "node:stream";
import { runEventSchema } from "@proofroom/contracts";
import { openLedger } from "@proofroom/runtime/records";
import { z } from "zod";
import type { RouteDeps } from "../deps.ts";
import { type Route, route } from "../routing/route.ts";
import { parsePosition, positionPattern } from "../runs/event-position.ts";
import { isThere, requireRun } from "../runs/require-run.ts";
import { isComplete, type Watched, type WatchOptions, watchRun } from "../runs/watch-run.ts";
import { runParams } from "./schemas.ts";

const defaultHeartbeatMs = 15_000;

/** How soon a client that lost its connection comes back, in milliseconds. */
const reconnectMs = 1_000;

/** One message of an event stream; JSON has no line breaks of its own. */
function frame(watched: Watched): string {
  if (watched.kind === "silence") return ":\n\n";
  if (watched.kind === "gap") {
    const id = watched.id === undefined ? "" : `id: ${watched.id}\n`;
    return `${id}event: gap\ndata: {"message":"Events before this are no longer kept; look at the run."}\n\n`;
  }
  const { event } = watched;
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

async function* frames(options: WatchOptions): AsyncGenerator<string> {
  yield `retry: ${reconnectMs}\n\n`;
  for await (const watched of watchRun(options)) yield frame(watched);
}

/** The route by which a run is watched. */
export function eventRoute({ events, heartbeatMs }: RouteDeps): Route {
  return route({
    method: "GET",
    path: "/v1/runs/{run_id}/events",
    id: "watchRun",
    tag: "runs",
    summary: "Watch a run",
    description:
      "Server-sent events from the beginning, or after Last-Event-ID, until the run has ended; any replica goes on where another stopped. An event `gap` tells that events before it are no longer kept.",
    params: runParams,
    headers: {
      "Last-Event-ID": z
        .string()
        .regex(positionPattern)
        .describe("The id of the last event that the client has had."),
    },
    answers: {
      200: { description: "The events.", mediaType: "text/event-stream", schema: runEventSchema },
      204: { description: "The run has ended and the client has had every event: do not come back." },
    },
    problems: [404],
    async handle({ params, store, request, reply, ending }) {
      const { run_id: runId } = await requireRun(store, params.run_id);
      const after = parsePosition(request.headers["last-event-id"]);
      // Of a run that was removed no outcome is left, and nothing follows either.
      const hasEnded = async () =>
        (await openLedger(store, runId).outcome()) !== null || !(await isThere(store, runId));
      if (await isComplete({ events, runId, after, hasEnded })) return reply.code(204).send();
      const options = {
        events,
        runId,
        after,
        hasEnded,
        heartbeatMs: heartbeatMs ?? defaultHeartbeatMs,
        signal: ending,
      };
      return reply
        .headers({
          "content-type": "text/event-stream",
          "cache-control": "no-store",
          "x-accel-buffering": "no",
          "x-content-type-options": "nosniff",
        })
        .send(Readable.from(frames(options), { objectMode: false }));
    },
  });
}
