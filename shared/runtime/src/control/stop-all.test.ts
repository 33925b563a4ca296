import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import type { EventLog } from "@proofroom/queue";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cancellationOf } from "../cancelled.ts";
import { openLedger } from "../ledger.ts";
import { stopAll } from "./stop-all.ts";

const step = { stepId: "verify_citations", generation: 1 };

let folder: TempFolder;
let store: ObjectStore;
let runId: string;
let told: string[];

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  runId = await createTestRun(store);
  told = [];
});

afterEach(() => folder.close());

function stop(): Promise<void> {
  const events = { publish: () => undefined } as unknown as EventLog;
  return stopAll({ store, events, bus: { cancel: async (word) => void told.push(word) } }, runId);
}

it.each(["succeeded", "failed", "cancelled", null] as const)(
  "cancels a job that was called alone before it tells the workers, once, of a run that is %s",
  async (status) => {
    const ledger = openLedger(store, runId);
    if (status !== null) {
      await ledger.open("start");
      await ledger.close({ n: 1, status, at: new Date().toISOString(), reasons: [] });
    }
    await ledger.begin(step);
    await stop();
    expect(told).toEqual([runId]);
    expect(await cancellationOf(openLedger(store, runId), step)).not.toBeNull();
  },
);
