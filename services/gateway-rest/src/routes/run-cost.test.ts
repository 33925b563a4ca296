import { createFsStore, type ObjectStore } from "@proofroom/artifacts";
import { makeTempFolder, recordCalls, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runSchema } from "../routes/schemas.ts";
import { type TestGateway, testGateway } from "../testing/test-gateway.ts";

let folder: TempFolder;
let gateway: TestGateway;
let reads: string[];

beforeEach(async () => {
  folder = await makeTempFolder();
  reads = [];
  const plain = createFsStore({ root: folder.path });
  const store: ObjectStore = {
    ...plain,
    get(key, options) {
      reads.push(key);
      return plain.get(key, options);
    },
  };
  gateway = await testGateway(folder.path, { store });
});

afterEach(async () => {
  await gateway.app.close();
  await folder.close();
});

async function create(): Promise<string> {
  const payload = { guideline: "# Queues\n", start: false };
  return (await gateway.app.inject({ method: "POST", url: "/v1/runs", payload })).json().run_id;
}

async function look(url: string) {
  const answer = await gateway.app.inject({ url });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

describe("what a run has cost", () => {
  it("is told with the run, is null before anybody was asked, and is left out of lists", async () => {
    const id = await create();
    expect(await look(`/v1/runs/${id}`)).toMatchObject({ cost: null });
    const cost = await recordCalls(gateway.store, id);
    expect(runSchema.parse(await look(`/v1/runs/${id}`)).cost).toEqual(cost);
    const { runs } = await look("/v1/runs");
    expect(runs).toHaveLength(1);
    expect(runs[0]).not.toHaveProperty("cost");
  });

  it("is told as often as it is asked for, and no call is read twice for it", async () => {
    const id = await create();
    await recordCalls(gateway.store, id);
    for (const _time of [1, 2, 3]) await look(`/v1/runs/${id}`);
    const cancelled = await gateway.app.inject({ method: "POST", url: `/v1/runs/${id}/cancel` });
    expect(cancelled.json().cost).toMatchObject({ calls: 2, pages: 1 });
    expect(reads.filter((key) => key.includes("/recordings/"))).toHaveLength(4);
  });
});
