import { randomUUID } from "node:crypto";
import { type ObjectStore, recordingKey } from "@proofroom/artifacts";
import { isProofroomError, type Recording } from "@proofroom/contracts";

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
