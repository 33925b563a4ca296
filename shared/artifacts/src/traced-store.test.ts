import { createTracing, type SpanRecord, type Tracing } from "@proofroom/telemetry";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFsStore } from "./fs/fs-store.ts";
import { openRunArtifacts } from "./run-artifacts.ts";
import type { ObjectStore } from "./store.ts";
import { traceStore } from "./traced-store.ts";

const run = "run_01ARZ3NDEKTSV4RRFFQ69G5FAV";
let folder: TempFolder;
let tracing: Tracing;
let store: ObjectStore;
const spans: SpanRecord[] = [];

beforeEach(async () => {
  folder = await makeTempFolder();
  spans.length = 0;
  tracing = await createTracing({
    serviceName: "test",
    version: "1",
    destinations: [],
    captureContent: false,
    secrets: [],
    onTrouble: () => undefined,
    runs: { add: async (_run, some) => void spans.push(...some), compose: async () => undefined },
  });
  store = traceStore(createFsStore({ root: folder.path }), tracing);
});

afterEach(() => folder.close());

const told = async () => {
  await tracing.close();
  return spans.filter(({ kind }) => kind === "client");
};

it("tells of each artifact that is written and read once, with its size, and of no record beside it", async () => {
  const artifacts = openRunArtifacts(store, run);
  await tracing.span({ name: "step", ids: { run } }, async () => {
    await artifacts.write("article.md", Buffer.from("# Text\n"), { author: "me" });
    const version = await artifacts.latest("article.md");
    if (version !== null) await artifacts.read("article.md", version);
    await store.create(`runs/${run}/.nova/ledger/steps/x.g1.json`, "{}");
  });
  expect(
    (await told()).map(({ name, failed, attributes }) => [name, failed, attributes["proofroom.bytes"]]),
  ).toEqual([
    ["put article.md", false, 7],
    ["get article.md", false, 7],
  ]);
  expect(JSON.stringify(spans)).not.toContain("# Text");
});

it("the same content written again is no failure", async () => {
  const artifacts = openRunArtifacts(store, run);
  await tracing.span({ name: "step", ids: { run } }, async () => {
    for (let time = 0; time < 2; time += 1)
      await artifacts.write("article.md", Buffer.from("# Text\n"), { author: "me" });
  });
  expect((await told()).filter(({ failed }) => failed)).toEqual([]);
});

it("tells of nothing where nothing is at work", async () => {
  await openRunArtifacts(store, run).write("article.md", Buffer.from("# Text\n"), { author: "me" });
  expect(await told()).toEqual([]);
});
