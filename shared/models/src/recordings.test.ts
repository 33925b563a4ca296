import { costOfRun, createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Asker, openRecordings } from "./recordings.ts";
import { createSpentByRuns } from "./spent.ts";

const asker: Asker = {
  runId: "run_01ARZ3NDEKTSV4RRFFQ69G5FAV",
  stepId: "generate_next_queries",
  generation: 1,
};
const request = { parts: [], maxTokens: 1 };
const reply = { text: "", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } } as const;
const call = {
  role: "planner",
  model: "m",
  providerModel: "m",
  request,
  reply,
  cost: 0.25,
  priced: true,
  ms: 1,
} as const;

let folder: TempFolder;
let store: ObjectStore;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
});

afterEach(() => folder.close());

function open(spent = createSpentByRuns(store)) {
  return openRecordings(store, { keepsText: true, now: () => new Date(0), spent });
}

describe("recordings", () => {
  it("count what two asked for at once twice, though they hold one answer", async () => {
    const spent = createSpentByRuns(store);
    const recordings = open(spent);
    await Promise.all([recordings.save(asker, call), recordings.save(asker, call)]);
    expect(await costOfRun(store, asker.runId)).toMatchObject({ calls: 2, usd: 0.5 });
    expect(await spent.of(asker.runId)).toMatchObject({ usd: 0.5, tokens: 4, searches: 0 });
    expect(await recordings.find(asker, "m", request)).toEqual({ reply, providerModel: "m" });
  });

  it("of before prices could be unknown count as calls of a known price", async () => {
    const recordings = open();
    await recordings.save(asker, { ...call, cost: 0, priced: false });
    const [key = ""] = (await Array.fromAsync(store.list(""))).map((found) => found.key);
    const text = await new Response((await store.get(key)).body).text();
    const { priced, ...older } = JSON.parse(text);
    expect(priced).toBe(false);
    await store.create(key.replace(".json", "-older.json"), JSON.stringify(older));
    expect(await costOfRun(store, asker.runId)).toMatchObject({ calls: 2, unpriced_calls: 1 });
  });

  it("of others are each read once for what a run has taken, and its own never, however often it is asked for", async () => {
    let reads = 0;
    const counting: ObjectStore = {
      ...store,
      get(key, options) {
        reads += 1;
        return store.get(key, options);
      },
    };
    const spent = createSpentByRuns(counting);
    const recordings = open(spent);
    const others = open();
    for (let generation = 1; generation <= 8; generation += 1) {
      const saving = generation % 2 === 0 ? recordings : others;
      await saving.save({ ...asker, generation }, call);
      expect(await spent.of(asker.runId)).toMatchObject({ usd: generation / 4 });
    }
    expect(reads).toBe(4);
  });

  it("lie where they have always lain: else no run of before could be replayed", async () => {
    const recordings = open();
    const whole = {
      system: "s",
      parts: [
        { kind: "text", text: "t" },
        { kind: "video", url: "https://example.org/v", from: 0, to: 9, seconds: 9 },
      ],
      schema: { type: "object" },
      maxTokens: 7,
    } as const;
    await recordings.save(asker, { ...call, request: whole });
    const [found] = await Array.fromAsync(store.list(`runs/${asker.runId}/.nova/recordings/`));
    expect(found?.key).toMatch(/172cff748544d7b7b72230a96a79ce48cec4c1a11e4d8acc4a14c91e16bc072e\.json$/);
  });
});
