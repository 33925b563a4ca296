import { setTimeout as pause } from "node:timers/promises";
import { isProofroomError, ProofroomError, type RunEvent } from "@proofroom/contracts";
import type { ProgressView } from "../output/progress.ts";
import type { GatewayClient } from "./gateway-client.ts";
import type { RemoteRun } from "./remote-run.ts";

export interface FollowRemoteOptions {
  client: GatewayClient;
  runId: string;
  view: ProgressView;
  signal: AbortSignal;
  /** A command as the user types it. */
  typed(command: string): string;
  /** What is said of a lost connection. */
  note(line: string): void;
}

/** How long a gateway may be out of reach before that is told as an error, and how soon it is tried again; milliseconds. */
const patience = 60_000;
const retryEvery = 1_000;

/** What waits for a quota goes on by itself; what waits for a budget or a setting has ended until somebody resumes it. */
const moving: ReadonlySet<RemoteRun["status"]> = new Set(["queued", "running", "waiting_quota"]);

/**
 * Shows what happens to a run at a gateway until it has ended, over as many connections as that takes.
 * @throws ProofroomError cancelled when the signal aborts (the run goes on), dependency_down when the gateway stays away
 */
export async function followRemote(options: FollowRemoteOptions): Promise<RemoteRun> {
  const { client, runId, view, signal } = options;
  let after: string | null = null;
  let awaySince: number | null = null;
  try {
    for (;;) {
      try {
        const stream = await client.events(runId, after);
        awaySince = null;
        for await (const message of stream ?? []) {
          if (message.kind === "event") await show(options, message.event);
          after = (message.kind === "event" ? message.event.id : message.id) ?? after;
        }
        const run = await client.run(runId);
        if (!moving.has(run.status)) return run;
      } catch (error) {
        if (signal.aborted) throw detached(options);
        const isLost = !isProofroomError(error) || error.code === "dependency_down";
        if (!isLost) throw error;
        if (awaySince === null) options.note("The connection to the gateway was lost; trying again …");
        awaySince ??= performance.now();
        if (performance.now() - awaySince > patience) throw outOfReach(options, error);
      }
      await pause(retryEvery, undefined, { signal }).catch(() => {
        throw detached(options);
      });
    }
  } finally {
    view.close();
  }
}

async function show({ client, runId, view }: FollowRemoteOptions, event: RunEvent): Promise<void> {
  if (event.type !== "step.finished") return view.show(event, null);
  const { steps } = await client.run(runId);
  const step = steps.find((one) => one.step === event.step);
  view.show(event, step?.output === undefined ? null : { capability: step.capability, output: step.output });
}

/** How to go on with a run that is no longer seen. */
function waysOn({ client, runId, typed }: FollowRemoteOptions): string {
  const there = `${runId} --remote ${client.url}`;
  return `${typed(`resume ${there}`)} watches it again, ${typed(`cancel ${there}`)} stops it.`;
}

function outOfReach(options: FollowRemoteOptions, cause: unknown): ProofroomError {
  const { client, runId } = options;
  return new ProofroomError({
    code: "dependency_down",
    message: `The gateway at ${client.url} cannot be reached any more; the run ${runId} goes on behind it.`,
    remedy: waysOn(options),
    cause,
  });
}

function detached(options: FollowRemoteOptions): ProofroomError {
  const { client, runId } = options;
  return new ProofroomError({
    code: "cancelled",
    message: `No longer watching; the run ${runId} goes on at ${client.url}.`,
    remedy: waysOn(options),
  });
}
