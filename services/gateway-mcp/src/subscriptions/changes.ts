import { ProofroomError, type RunEvent } from "@proofroom/contracts";
import type { EventLog } from "@proofroom/queue";
import { openLedger } from "@proofroom/runtime/records";
import { parseArtifactUri } from "../artifacts/artifact-uri.ts";
import type { GatewayDeps } from "../gateway-deps.ts";

/** Something whose changes a client wants to be told of. */
export interface Target {
  /** The address of an artifact, as the client wrote it; null stands for the list of resources. */
  uri: string | null;
  /** The log in which changes are told: a run's, or the tenant's. */
  log: string;
  isMeant(event: RunEvent): boolean;
}

/** Where each log stands: what comes after is told. */
export type Positions = ReadonlyMap<string, string>;

/** The list of resources changes when the tenant gets a run. */
export function listTarget(tenant: string): Target {
  return { uri: null, log: tenant, isMeant: ({ type }) => type === "run.created" };
}

/**
 * An artifact of one of the caller's runs.
 * @throws ProofroomError invalid_input for what is no address of one, not_found for a run that is not there, or not theirs
 */
export async function artifactTarget(uri: string, { store }: Pick<GatewayDeps, "store">): Promise<Target> {
  const url = URL.parse(uri);
  if (url === null) throw new ProofroomError({ code: "invalid_input", message: "That is no address." });
  const { runId, name } = parseArtifactUri(url);
  await openLedger(store, runId).manifest();
  return {
    uri,
    log: runId,
    isMeant: ({ type, artifact }) => type === "artifact.written" && artifact === name,
  };
}

/** @throws ProofroomError dependency_down */
export async function positionsOf(events: EventLog, targets: readonly Target[]): Promise<Positions> {
  const logs = [...new Set(targets.map(({ log }) => log))];
  try {
    return new Map(await Promise.all(logs.map(async (log) => [log, await events.position(log)] as const)));
  } catch (cause) {
    throw new ProofroomError({
      code: "dependency_down",
      message: "The queue (Redis) cannot be reached.",
      cause,
    });
  }
}

/** Tells of every change of the targets after the positions, whichever process made it, until the signal aborts. */
export async function followChanges(
  events: EventLog,
  { targets, positions }: { targets: readonly Target[]; positions: Positions },
  tell: (target: Target) => void,
  signal: AbortSignal,
): Promise<void> {
  const byLog = Map.groupBy(targets, ({ log }) => log);
  await Promise.all(
    [...byLog].map(async ([log, its]) => {
      for await (const event of events.follow(log, positions.get(log) ?? "$", signal)) {
        if (signal.aborted) return;
        for (const target of its) if (target.isMeant(event)) tell(target);
      }
    }),
  );
}
