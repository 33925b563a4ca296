import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "@proofroom/access";
import type { ObjectStore } from "@proofroom/artifacts";
import { isProofroomError, ProofroomError, runIdSchema, sha256Schema } from "@proofroom/contracts";
import { ownedFolder, ownedKey } from "@proofroom/runtime/records";
import { z } from "zod";
import { removeRun } from "./remove-run.ts";

/** `idempotency/<hash>.json` in the folder of the tenant: which run a key made, and of what. */
const recordSchema = z.object({
  v: z.literal(1),
  run_id: runIdSchema,
  body_sha256: sha256Schema,
  at: z.iso.datetime(),
});
type KeyRecord = z.infer<typeof recordSchema>;

/** After so long a key whose run never came to be counts as left behind by a process that died; milliseconds. */
const abandonedAfter = 30_000;

/** How long the run of another request with the same key is waited for, and how often it is looked for; milliseconds. */
const waitAtMost = 10_000;
const lookEvery = 25;

export interface OnceOptions {
  store: ObjectStore;
  now(): Date;
  /** Whose key it is: the keys of two callers never meet. */
  caller: Caller;
  key: string;
  /** What was asked for, in a form in which equal requests are equal. */
  request: string;
  /** When to wait no longer for the run of another request. */
  signal: AbortSignal;
}

/** Reserves the key for a run; called before anybody can see the run. */
export type Claim = (runId: string) => Promise<void>;

class KeyTaken extends Error {}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function read(store: ObjectStore, at: string): Promise<{ record: KeyRecord; etag: string } | null> {
  try {
    const { info, body } = await store.get(at);
    return { record: recordSchema.parse(JSON.parse(await new Response(body).text())), etag: info.etag };
  } catch (error) {
    if (isProofroomError(error) && error.code === "not_found") return null;
    throw error;
  }
}

/**
 * Creates a run once per key, whichever replica is asked how often: the first request reserves the key in the store
 * before its run exists for anybody; the others wait for that run and answer it.
 * @param create makes the run and calls `claim` with its id before the manifest is written
 * @throws ProofroomError conflict where the key was used for another request, or its first one is still under way
 */
export async function createOnce(
  options: OnceOptions,
  create: (claim: Claim) => Promise<string>,
): Promise<{ runId: string; replayed: boolean }> {
  const { store, now, caller } = options;
  const at = `${ownedFolder(caller.tenant)}idempotency/${sha256(`${caller.id}\n${options.key}`)}.json`;
  const body = sha256(options.request);
  const end = performance.now() + waitAtMost;
  for (;;) {
    const found = await read(store, at);
    if (found !== null && found.record.body_sha256 !== body) {
      throw new ProofroomError({
        code: "conflict",
        message: "The Idempotency-Key was used for another request.",
        remedy: "Use a key of its own for each request.",
      });
    }
    if (found !== null) {
      const runId = found.record.run_id;
      if ((await store.head(`runs/${runId}/.nova/run.json`)) !== null) return { runId, replayed: true };
      // One that has its mark and no manifest is being made; one without either was removed.
      const isMarked = (await store.head(ownedKey(caller.tenant, runId))) !== null;
      if (isMarked && now().getTime() - Date.parse(found.record.at) < abandonedAfter) {
        if (performance.now() > end || options.signal.aborted) {
          throw new ProofroomError({
            code: "conflict",
            message: "The first request with this Idempotency-Key is still under way.",
            remedy: "Try again in a few seconds.",
          });
        }
        await pause(lookEvery, undefined, { signal: options.signal }).catch(() => undefined);
        continue;
      }
    }
    let claimed = "";
    try {
      const runId = await create(async (id) => {
        claimed = id;
        const record: KeyRecord = { v: 1, run_id: id, body_sha256: body, at: now().toISOString() };
        await reserve(store, at, `${JSON.stringify(record)}\n`, found?.etag);
      });
      return { runId, replayed: false };
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error;
      await removeRun(store, { tenant: caller.tenant, runId: claimed });
    }
  }
}

/** @throws KeyTaken where another request was first */
async function reserve(
  store: ObjectStore,
  at: string,
  text: string,
  over: string | undefined,
): Promise<void> {
  try {
    if (over === undefined) await store.create(at, text);
    else await store.replace(at, text, over);
  } catch (error) {
    if (isProofroomError(error) && (error.code === "conflict" || error.code === "not_found"))
      throw new KeyTaken();
    throw error;
  }
}
