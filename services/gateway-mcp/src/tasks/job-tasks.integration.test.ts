import { ProofroomError } from "@proofroom/contracts";
import {
  askModern,
  eventually,
  tasksExtensions as extensions,
  type McpMessage,
  openTestPlace,
  type TestPlace,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startFakeWorkers } from "../testing/fake-workers.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";

let place: TestPlace;
let urls: string[];

beforeEach(async () => {
  place = await openTestPlace();
  urls = [await replica(), await replica()];
});

afterEach(() => place.close());

async function replica(): Promise<string> {
  const gateway = await startTestGateway(place);
  place.closing(() => gateway.close(100));
  return gateway.url;
}

function work(handlers: Parameters<typeof startFakeWorkers>[0]["handlers"] = {}) {
  const running = startFakeWorkers({ ...place, handlers });
  place.closing(() => running.close());
}

let turn = 0;

/** Asks each replica in turn, as a client that declares the extension unless told otherwise. */
function ask(method: string, params: Record<string, unknown>, declares = true): Promise<McpMessage> {
  turn += 1;
  return askModern(urls[turn % urls.length] ?? "", method, params, declares ? { extensions } : {});
}

function call(name: string, args: Record<string, unknown>, declares = true) {
  return ask("tools/call", { name, arguments: args }, declares);
}

async function newRun(): Promise<string> {
  const made = await call("create_run", { guideline: "# t\n" });
  return String(made.result?.structuredContent?.["run_id"]);
}

async function endOf(taskId: unknown) {
  await eventually(async () => (await ask("tasks/get", { taskId })).result?.["status"] !== "working");
  return (await ask("tasks/get", { taskId })).result;
}

describe("a client that declares the Tasks extension", () => {
  it("gets a task that it can ask for at once, at any replica, and its result in it", async () => {
    const run_id = await newRun();
    const created = await call("verify_citations", { run_id });
    const taskId = created.result?.["taskId"];
    expect(created.result).toMatchObject({ resultType: "task", status: "working", ttlMs: null });
    expect(created.result).not.toHaveProperty("content");
    expect((await ask("tasks/get", { taskId })).result).toMatchObject({ taskId, status: "working" });
    expect((await call("verify_citations", { run_id })).result).toMatchObject({ taskId });
    work();
    const structuredContent = { run_id, status: "succeeded", output: { cited: 1 } };
    const ended = await endOf(taskId);
    expect(ended).toMatchObject({
      status: "completed",
      result: { resultType: "complete", structuredContent },
    });
    expect(Date.parse(String(ended?.["lastUpdatedAt"]))).toBeGreaterThan(0);
    // What is known already needs no task.
    expect((await call("verify_citations", { run_id })).result).toMatchObject({ structuredContent });
  });

  it("is told a failure as a completed task whose result is an error", async () => {
    work({
      read_research_summary: async () => {
        throw new ProofroomError({ code: "no_evidence", message: "There is none." });
      },
    });
    const created = await call("read_research_summary", { run_id: await newRun() });
    const ended = await endOf(created.result?.["taskId"]);
    expect(ended).toMatchObject({ status: "completed", result: { isError: true } });
    expect(JSON.stringify(ended)).toContain("no_evidence");
  });

  it("cancels by tasks/cancel, twice without harm, and cancelled it stays", async () => {
    const run_id = await newRun();
    const taskId = (await call("verify_citations", { run_id })).result?.["taskId"];
    expect((await ask("tasks/cancel", { taskId })).error).toBeUndefined();
    expect((await ask("tasks/cancel", { taskId })).error).toBeUndefined();
    work();
    expect(await endOf(taskId)).toMatchObject({ status: "cancelled" });
  });

  it("gets the same answer for a task that never was and for what is none", async () => {
    const never = `${await newRun()}-verify_citations-g7`;
    for (const taskId of [never, `run_${"0".repeat(26)}-verify_citations-g1`, "../x"]) {
      for (const method of ["tasks/get", "tasks/cancel", "tasks/update"])
        expect((await ask(method, { taskId })).error).toMatchObject({ code: -32_602 });
    }
  });

  it("is told bad arguments as an error of the tool, and gets no task without Redis", async () => {
    const run_id = await newRun();
    expect((await call("verify_citations", { run_id, rond: 1 })).result).toMatchObject({ isError: true });
    await place.redis.kill();
    const refused = await call("verify_citations", { run_id });
    expect(refused.result).toMatchObject({ isError: true });
    expect(refused.result).not.toHaveProperty("taskId");
    await place.redis.restart();
  });
});

describe("a client that does not declare it", () => {
  it("never gets a task, and is told which capability tasks/get needs", async () => {
    work();
    const run_id = await newRun();
    const answer = await call("verify_citations", { run_id }, false);
    expect(answer.result?.structuredContent).toMatchObject({ status: "succeeded" });
    const taskId = answer.result?.structuredContent?.["job_id"];
    const refused = await ask("tasks/get", { taskId }, false);
    expect(refused.error).toMatchObject({ code: -32_021, data: { requiredCapabilities: { extensions } } });
  });
});
