import { readFileSync } from "node:fs";
import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import type { CallQuota } from "@proofroom/contracts";
import { type Models, type OutsideCalls, openModels } from "@proofroom/models";
import { silentLogger } from "@proofroom/telemetry";
import { makeTempFolder } from "../temp-folder.ts";
import { type FakeProvider, type Script, startFakeProvider } from "./fake-provider.ts";

/** No model is configured: every role's work is the caller's own. */
export const withoutModels: Models = { has: () => false, ask: async () => ({ by: "extractive" }) };

/** Calls are neither counted nor recorded. */
export const uncountedCalls: OutsideCalls = {
  search: (_question, call) => call(() => undefined, undefined),
  page: (_page, call) => call(),
};

/** Grants every call. */
export const openQuota: CallQuota = {
  reserve: async () => ({ granted: true, id: "1" }),
  lineUp: async () => undefined,
  settle: async () => undefined,
  cool: async () => undefined,
};

export interface TestModels {
  models: Models;
  /** Where the models of Gemini are asked. */
  gemini: FakeProvider;
  store: ObjectStore;
  close(): Promise<void>;
}

/** The models that the repository ships, with Gemini alone configured, at a fake of it. */
export async function openTestModels(script?: Script): Promise<TestModels> {
  const [folder, gemini] = await Promise.all([makeTempFolder(), startFakeProvider(script)]);
  const store = createFsStore({ root: folder.path });
  const settings: Record<string, string> = { GEMINI_API_KEY: "key-of-a-test", GEMINI_BASE_URL: gemini.base };
  const text = readFileSync(new URL("../../../../infra/models.yaml", import.meta.url), "utf8");
  const models = await openModels({
    file: { text, name: "infra/models.yaml" },
    setting: (name) => settings[name],
    store,
    quota: openQuota,
    log: silentLogger(),
    now: () => new Date(0),
    keepsText: true,
  });
  return {
    models,
    gemini,
    store,
    async close() {
      await gemini.close();
      await folder.close();
    },
  };
}
