import { createHash } from "node:crypto";
import type { Caller } from "@proofroom/access";
import type { ObjectStore } from "@proofroom/artifacts";
import { isProofroomError, runIdSchema, sha256Schema } from "@proofroom/contracts";
import { ownedFolder } from "@proofroom/runtime/records";
import { z } from "zod";

/** `idempotency/<hash>.json` in the folder of the tenant: which run a key makes or made, and of what. */
const recordSchema = z.object({
  v: z.literal(1),
  run_id: runIdSchema,
  body_sha256: sha256Schema,
  at: z.iso.datetime(),
  /** Whether the run is there for good; until then another request may make another in its place. */
  made: z.boolean().default(false),
});
export type KeyRecord = z.output<typeof recordSchema>;

/** A record as it was found; the etag names this state of it. */
export interface FoundRecord {
  record: KeyRecord;
  etag: string;
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Where the record of a caller's key lies: the keys of two callers never meet. */
export function recordKey({ tenant, id }: Caller, key: string): string {
  return `${ownedFolder(tenant)}idempotency/${sha256(`${id}\n${key}`)}.json`;
}

export async function readRecord(store: ObjectStore, at: string): Promise<FoundRecord | null> {
  try {
    const { info, body } = await store.get(at);
    return { record: recordSchema.parse(JSON.parse(await new Response(body).text())), etag: info.etag };
  } catch (error) {
    if (isProofroomError(error) && error.code === "not_found") return null;
    throw error;
  }
}

/** Writes a record in the place of the state that was found (null: of none); answers null where that is not its state. */
export async function writeRecord(
  store: ObjectStore,
  at: string,
  { record, over }: { record: KeyRecord; over: FoundRecord | null },
): Promise<FoundRecord | null> {
  const text = `${JSON.stringify(record)}\n`;
  try {
    const { etag } = await (over === null ? store.create(at, text) : store.replace(at, text, over.etag));
    return { record, etag };
  } catch (error) {
    if (isProofroomError(error) && (error.code === "conflict" || error.code === "not_found")) return null;
    throw error;
  }
}
