import { type Recording, recordingSchema } from "@proofroom/contracts";
import { tryReadObject } from "../read.ts";
import type { ObjectStore } from "../store.ts";

/** Below a run: one file per answered call. */
const recordingsFolder = ".nova/recordings/";

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
