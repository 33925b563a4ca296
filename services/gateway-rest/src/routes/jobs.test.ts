import { openLedger } from "@proofroom/runtime/records";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestGateway, testGateway } from "../testing/test-gateway.ts";

let folder: TempFolder;
let gateway: TestGateway;
let runId: string;

beforeEach(async () => {
  folder = await makeTempFolder();
  gateway = await testGateway(folder.path);
  runId = (await post("/v1/runs", { guideline: "# Jobs\n", start: false })).json().run_id;
});

afterEach(async () => {
  await gateway.app.close();
  await folder.close();
});

function post(url: string, payload: object = {}) {
  return gateway.app.inject({ method: "POST", url, payload });
}

async function call(): Promise<string> {
  const answer = await post(`/v1/runs/${runId}/capabilities/verify_citations`);
  return answer.json().job_id;
}

describe("cancelling a job", () => {
  it("ends it alone, once, and a further call makes another", async () => {
    const id = await call();
    const cancelled = await post(`/v1/jobs/${id}/cancel`);
    expect([cancelled.statusCode, cancelled.json().status]).toEqual([200, "cancelled"]);
    expect(gateway.cancelled).toEqual([`${runId} verify_citations.g1`]);
    expect((await post(`/v1/jobs/${id}/cancel`)).json().status).toBe("cancelled");
    // Word of the first may have been lost.
    expect(gateway.cancelled).toHaveLength(2);
    expect((await gateway.app.inject(`/v1/runs/${runId}`)).json().status).toBe("queued");
    expect(await call()).toBe(`${runId}-verify_citations-g2`);
  });

  it("leaves one that has ended as it is", async () => {
    const id = await call();
    const ledger = openLedger(gateway.store, runId);
    const step = { stepId: "verify_citations", generation: 1 };
    await ledger.fail(step, await ledger.begin(step), { code: "no_evidence", message: "x" }, { final: true });
    const answer = await post(`/v1/jobs/${id}/cancel`);
    expect([answer.statusCode, answer.json().status]).toEqual([200, "failed"]);
    expect(gateway.cancelled).toEqual([]);
  });

  it("says the same of a job that nobody asked for and of what is none", async () => {
    const id = await call();
    const ids = [
      id.replace(/g1$/, "g7"),
      "x",
      `${runId}-nothing-g1`,
      `run_01J${"0".repeat(23)}-verify_citations-g1`,
    ];
    const answers = await Promise.all(ids.map((one) => post(`/v1/jobs/${one}/cancel`)));
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(answers[0]?.statusCode).toBe(404);
  });
});

describe("the jobs of a run", () => {
  it("are each step's newest, with what they came to", async () => {
    expect((await gateway.app.inject(`/v1/runs/${runId}/jobs`)).json()).toEqual({ jobs: [] });
    const id = await call();
    await post(`/v1/jobs/${id}/cancel`);
    await call();
    const evaluation = await post("/v1/jobs", { run_id: runId, capability: "critic_evaluate_article" });
    expect(evaluation.statusCode).toBe(202);
    const { jobs } = (await gateway.app.inject(`/v1/runs/${runId}/jobs`)).json();
    expect(jobs.map(({ job_id, status }: Record<string, string>) => [job_id, status])).toEqual([
      [evaluation.json().job_id, "queued"],
      [`${runId}-verify_citations-g2`, "queued"],
    ]);
  });
});

describe("waiting for a job", () => {
  it("puts one in again that the queue lost", async () => {
    const id = await call();
    gateway.submitted.length = 0;
    const waiting = gateway.app.inject(`/v1/jobs/${id}?wait=20`);
    await expect.poll(() => gateway.submitted.length, { timeout: 4_000 }).toBe(1);
    expect(gateway.submitted[0]).toMatchObject({ step_id: "verify_citations", generation: 1, input: {} });
    await post(`/v1/jobs/${id}/cancel`);
    expect((await waiting).json().status).toBe("cancelled");
  });
});
