import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { openLedger } from "@proofroom/runtime/records";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { commandContext } from "../testing/command-context.ts";
import { listCommand, statusCommand } from "./inspect.ts";

let folder: TempFolder;
let store: ObjectStore;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
});

afterEach(() => folder.close());

const shown = () => commandContext({ folder: folder.path, store });

it("a run whose budget is spent is shown with the command that goes on with it", async () => {
  const runId = await createTestRun(store);
  const ledger = openLedger(store, runId);
  const { n } = await ledger.open("start");
  const error = { code: "budget", message: "The run has made 2 searches.", remedy: "Resume it." } as const;
  const at = new Date().toISOString();
  await ledger.close({ n, status: "waiting_budget", at, reasons: [], error });
  const { context, stdout } = shown();
  await statusCommand(context, runId);
  expect(stdout()).toContain(`fix: proofroom resume ${runId} --budget LIMITS goes on from here`);
});

it("an empty list says how to begin, as the command was typed", async () => {
  const { context, stdout } = shown();
  await listCommand({ ...context, typed: (command) => `npm start -- ${command}` });
  expect(stdout()).toBe("There are no runs yet: npm start -- write GUIDELINE.md makes one.\n");
});
