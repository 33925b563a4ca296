import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { createTestRun, makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeRun, summariseRun } from "./describe-run.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import type { StepRef } from "./ledger-keys.ts";

let folder: TempFolder;
let store: ObjectStore;
let runId: string;
let ledger: Ledger;

beforeEach(async () => {
  folder = await makeTempFolder();
  store = createFsStore({ root: folder.path });
  runId = await createTestRun(store);
  ledger = openLedger(store, runId);
  await ledger.open("start");
});

afterEach(() => folder.close());

const section = (n: number): StepRef => ({ stepId: `draft_article_section-${n}`, generation: 1 });
const later = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

async function begin(step: StepRef): Promise<void> {
  await ledger.begin(step);
}

async function wait(step: StepRef, resumesAt: string): Promise<void> {
  const error = { code: "quota", message: "All models are at their limits." } as const;
  await ledger.fail(step, await ledger.begin(step), error, { final: false, resumesAt });
}

async function status(): Promise<{ status: string; waiting_until: string | null }> {
  const { steps: _steps, cost: _cost, ...described } = await describeRun(store, runId);
  expect(await summariseRun(store, runId)).toEqual(described);
  return described;
}

describe("a run that moves", () => {
  it("waits for quota until the first of its steps goes on, where each waits that has begun", async () => {
    const [soon, late] = [later(60), later(3_600)];
    await wait(section(1), late);
    await wait(section(2), soon);
    expect(await status()).toMatchObject({ status: "waiting_quota", waiting_until: soon });
  });

  it("is running while one step is at work", async () => {
    await wait(section(1), later(60));
    await begin(section(2));
    expect(await status()).toMatchObject({ status: "running", waiting_until: null });
  });

  it("is running again once the time has passed, or the step has begun again", async () => {
    await wait(section(1), later(-1));
    expect(await status()).toMatchObject({ status: "running", waiting_until: null });
    await wait(section(1), later(60));
    await begin(section(1));
    expect(await status()).toMatchObject({ status: "running", waiting_until: null });
  });

  it("waits where the children wait to which a step has handed its work", async () => {
    const parent: StepRef = { stepId: "transcribe_youtube_urls", generation: 1 };
    const child = (n: number): StepRef => ({
      stepId: `ingest_video-${n}`,
      generation: 1,
      parent: parent.stepId,
    });
    const until = later(60);
    await begin(parent);
    await begin(child(1));
    await wait(child(2), until);
    expect(await status()).toMatchObject({ status: "running" });
    await ledger.giveUp(child(1), { code: "not_found", message: "It is private." });
    expect(await status()).toMatchObject({ status: "waiting_quota", waiting_until: until });
  });

  it("that has ended waits for nothing", async () => {
    await wait(section(1), later(60));
    await ledger.close({ n: 1, status: "cancelled", at: new Date().toISOString(), reasons: [] });
    expect(await status()).toMatchObject({ status: "cancelled", waiting_until: null });
  });
});
