import { afterAll, beforeAll, describe } from "vitest";
import type { ObjectStore } from "../store.ts";
import { conditionSuite } from "./condition-suite.ts";
import { keySuite } from "./key-suite.ts";
import { raceSuite } from "./race-suite.ts";
import { transferSuite } from "./transfer-suite.ts";

export interface ConformanceOptions {
  /** Opens a store that is empty. */
  open(): Promise<ObjectStore>;
  /** Removes what the suite left in it. */
  clean(): Promise<void>;
  /** Sizes of streamed objects, in bytes: those at which the store changes its way of writing. */
  sizes: readonly number[];
  /** Whether the conditions hold against writers at the same time, as they must everywhere but in a stand-in. */
  races: boolean;
}

/** What every store must do: the one suite that runs on all of them. */
export function storeConformance(options: ConformanceOptions): void {
  let store: ObjectStore;
  beforeAll(async () => {
    store = await options.open();
  });
  afterAll(async () => {
    await store.close();
    await options.clean();
  });
  describe("conditions", () => conditionSuite(() => store));
  describe("transfers", () => transferSuite(() => store, options.sizes));
  if (options.races) describe("races", () => raceSuite(() => store, options.sizes));
  describe("keys", () => keySuite(() => store));
}
