import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "@proofroom/access";
import type { ObjectStore } from "@proofroom/artifacts";
import { ownedKey, removeRun } from "@proofroom/runtime/records";
import { HttpProblem } from "../problems/http-problem.ts";
import { type FoundRecord, readRecord, recordKey, sha256, writeRecord } from "./idempotency-record.ts";

/** How long the run that another request is making is waited for before one is made in its place; milliseconds. */
const usualPatienceMs = 2_000;
const lookEvery = 25;

export interface OnceOptions {
  store: ObjectStore;
  now(): Date;
  /** Whose key it is. */
  caller: Caller;
  key: string;
  /** What was asked for, in a form in which equal requests are equal. */
  request: string;
  /** When to wait no longer for the run of another request. */
  signal: AbortSignal;
  patienceMs?: number;
}

/** Reserves the key for a run; called before anybody can see the run. */
export type Claim = (runId: string) => Promise<void>;

class KeyTaken extends Error {}

/**
 * Creates a run once per key, whichever replica is asked how often. A request reserves the key before its run exists for
 * anybody, and notes in the end that it is made. Whoever comes meanwhile waits for it a little, then takes the key over:
 * a request that died holds nobody up, and one that was only slow finds that the key is not its own any more, takes its
 * run back, and answers the other's.
 * @param create makes the run and calls `claim` with its id before the manifest is written; takes back what it made where
 *   that fails
 * @throws HttpProblem 422 where the key was used for another request; 409 where the wait for one under way was ended
 */
export async function createOnce(
  options: OnceOptions,
  create: (claim: Claim) => Promise<string>,
): Promise<{ runId: string; replayed: boolean }> {
  const { store, now, caller, patienceMs = usualPatienceMs } = options;
  const at = recordKey(caller, options.key);
  const body_sha256 = sha256(options.request);
  const note = (over: FoundRecord) =>
    writeRecord(store, at, { record: { ...over.record, made: true }, over });
  const patience = { with: "", until: 0 };
  for (;;) {
    const found = await readRecord(store, at);
    if (found !== null) {
      assertSame(found, body_sha256);
      const { run_id: runId, made } = found.record;
      if ((await store.head(`runs/${runId}/.nova/run.json`)) !== null) {
        if (made || (await note(found)) !== null) return { runId, replayed: true };
        continue;
      }
      // One that was made was removed since, and so was one without its mark.
      if (!made && (await store.head(ownedKey(caller.tenant, runId))) !== null) {
        if (patience.with !== runId)
          Object.assign(patience, { with: runId, until: performance.now() + patienceMs });
        if (performance.now() < patience.until) {
          await anotherLook(options.signal);
          continue;
        }
      }
    }
    let reserved: FoundRecord | null = null;
    try {
      const runId = await create(async (run_id) => {
        const record = { v: 1, run_id, body_sha256, at: now().toISOString(), made: false } as const;
        reserved = await writeRecord(store, at, { record, over: found });
        if (reserved === null) throw new KeyTaken();
      });
      const isOwn =
        (reserved !== null && (await note(reserved)) !== null) ||
        (await readRecord(store, at))?.record.run_id === runId;
      if (isOwn) return { runId, replayed: false };
      await removeRun(store, { tenant: caller.tenant, runId });
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error;
    }
  }
}

/** @throws HttpProblem 422 */
function assertSame({ record }: FoundRecord, body: string): void {
  if (record.body_sha256 === body) return;
  throw new HttpProblem({
    status: 422,
    code: "idempotency_key_reused",
    detail: "The Idempotency-Key was used for another request: use a key of its own for each.",
  });
}

/** @throws HttpProblem 409 where nobody waits any more */
async function anotherLook(signal: AbortSignal): Promise<void> {
  await pause(lookEvery, undefined, { signal }).catch(() => undefined);
  if (!signal.aborted) return;
  throw new HttpProblem({
    status: 409,
    code: "conflict",
    detail: "The first request with this Idempotency-Key is still under way: try again in a second.",
    headers: { "retry-after": "1" },
  });
}
