import { randomUUID } from "node:crypto";
import { type ObjectStore, tryReadObject } from "@proofroom/artifacts";
import { isProofroomError, publicErrorSchema } from "@proofroom/contracts";
import { z } from "zod";

/** Below a run: one file per answered call. */
const recordingsFolder = ".nova/recordings/";

const replySchema = z.object({
  text: z.string(),
  finish: z.enum(["stop", "length", "blocked", "open"]),
  usage: z.object({ inputTokens: z.int().nonnegative(), outputTokens: z.int().nonnegative() }),
});

const anyCallSchema = z.object({
  v: z.literal(1),
  at: z.iso.datetime(),
  step: z.string(),
  generation: z.int().positive(),
  /** US dollars, at the prices of the models file. */
  cost: z.number().nonnegative(),
  /** False where the models file held no price; the cost is 0 then. */
  priced: z.boolean().default(true),
  ms: z.number().nonnegative(),
});

/** A question to a model and its answer. */
const modelCallSchema = anyCallSchema.extend({
  kind: z.literal("model").default("model"),
  role: z.string(),
  /** The model's name in the models file, and what the provider calls it. */
  model: z.string(),
  provider_model: z.string(),
  request: z.unknown().optional(),
  reply: replySchema.optional(),
  usage: replySchema.shape.usage,
});

/** A query to a search provider, and what it found, or that it found nothing. */
const searchCallSchema = anyCallSchema.extend({
  kind: z.literal("search"),
  provider: z.string(),
  query: z.string().optional(),
  found: z.unknown().optional(),
  failure: publicErrorSchema.optional(),
});

/** A page that was fetched. What it held is a source of the run, or was none. */
const pageCallSchema = anyCallSchema.extend({ kind: z.literal("page"), url: z.string().optional() });

/** `.nova/recordings/<key>.json`: a call that was answered. */
const recordingSchema = z.union([searchCallSchema, pageCallSchema, modelCallSchema]);
export type Recording = z.output<typeof recordingSchema>;

/** Of a recording within its run. */
export function recordingName(name: string): string {
  return `${recordingsFolder}${name}.json`;
}

export function recordingKey(runId: string, name: string): string {
  return `runs/${runId}/${recordingName(name)}`;
}

export async function readRecording(store: ObjectStore, key: string): Promise<Recording | null> {
  const bytes = await tryReadObject(store, key);
  return bytes === null ? null : recordingSchema.parse(JSON.parse(Buffer.from(bytes).toString("utf8")));
}

/** The keys of a run's recordings. */
export async function* recordingKeys(store: ObjectStore, runId: string): AsyncGenerator<string> {
  for await (const { key } of store.list(`runs/${runId}/${recordingsFolder}`)) yield key;
}

export async function* recordingsOf(store: ObjectStore, runId: string): AsyncGenerator<Recording> {
  for await (const key of recordingKeys(store, runId)) {
    const recording = await readRecording(store, key);
    if (recording !== null) yield recording;
  }
}

/** False where one of that name is there: the first one stays. */
async function create(
  store: ObjectStore,
  runId: string,
  name: string,
  recording: Recording,
): Promise<boolean> {
  try {
    await store.create(recordingKey(runId, name), `${JSON.stringify(recording, null, 2)}\n`);
    return true;
  } catch (error) {
    if (isProofroomError(error) && error.code === "conflict") return false;
    throw error;
  }
}

/**
 * Keeps a call under the name of its question. What cannot be found again (its text may not be kept), or was asked by two at
 * once, was paid for each time: of that stays the tally.
 * @param whole the tally with question and answer; null where these may not be kept
 * @returns the key below which it is
 */
export async function keepRecording(
  store: ObjectStore,
  runId: string,
  { name, tally, whole }: { name: string; tally: Recording; whole: Recording | null },
): Promise<string> {
  if (whole !== null && (await create(store, runId, name, whole))) return recordingKey(runId, name);
  const nameless = randomUUID();
  await create(store, runId, nameless, tally);
  return recordingKey(runId, nameless);
}
