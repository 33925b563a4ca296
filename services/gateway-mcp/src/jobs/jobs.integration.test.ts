import {
  askAs,
  connectModernHttp,
  eventually,
  type McpMessage,
  openTestPlace,
  type TestPlace,
} from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HttpGateway } from "../http/gateway.ts";
import { startFakeWorkers } from "../testing/fake-workers.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";

let place: TestPlace;
let gateway: HttpGateway;
let run_id: string;

beforeEach(async () => {
  place = await openTestPlace();
  gateway = await startTestGateway(place, { inlineMs: 0 });
  place.closing(() => gateway.close(100));
  run_id = await newRun();
});

afterEach(() => place.close());

function work(handlers: Parameters<typeof startFakeWorkers>[0]["handlers"] = {}) {
  const running = startFakeWorkers({ ...place, handlers });
  place.closing(() => running.close());
}

async function newRun(): Promise<string> {
  const made = await call("create_run", { guideline: "# t\n" });
  return String(made.result?.structuredContent?.["run_id"]);
}

function ask(method: string, params: Record<string, unknown>): Promise<McpMessage> {
  return askAs(gateway.url, null, method, params);
}

/** Calls as a client that takes tasks: of a call whose work is a job, the answer is a task. */
function call(name: string, args: Record<string, unknown>): Promise<McpMessage> {
  return ask("tools/call", { name, arguments: args });
}

async function startJob(name: string): Promise<string> {
  return String((await call(name, { run_id })).result?.["taskId"]);
}

async function statusOf(job_id: string) {
  return (await call("job_get", { job_id })).result?.structuredContent?.["status"];
}

/** Works until it is cancelled the first time, and ends late; later calls find it done. */
function stubborn() {
  const begun = Promise.withResolvers<void>();
  let calls = 0;
  return {
    begun: begun.promise,
    handler: async (_input: never, { signal }: { signal: AbortSignal }) => {
      calls += 1;
      begun.resolve();
      if (calls === 1)
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      return { title: "late", sections: [], sources: [], failures: 0, words: 0 };
    },
  };
}

const cancel = {
  job_cancel: async (job: string) => (await call("job_cancel", { job_id: job })).result?.["isError"],
  "tasks/cancel": async (job: string) => (await ask("tasks/cancel", { taskId: job })).error,
};

describe.each(["job_cancel", "tasks/cancel"] as const)("%s", (way) => {
  it("ends a job at work, which stays so though its worker finishes late; its run goes on", async () => {
    const { begun, handler } = stubborn();
    work({ read_research_summary: handler });
    const job = await startJob("read_research_summary");
    await begun;
    expect(await cancel[way](job)).toBeFalsy();
    expect(await statusOf(job)).toBe("cancelled");
    const other = await startJob("verify_citations");
    await eventually(async () => (await statusOf(other)) === "succeeded");
    const again = await startJob("read_research_summary");
    expect(again).not.toBe(job);
    await eventually(async () => (await statusOf(again)) === "succeeded");
    expect(await statusOf(job)).toBe("cancelled");
    const told = await call("job_wait", { job_id: job, timeout_ms: 0 });
    expect(told.result).toMatchObject({ isError: true, structuredContent: { error: { code: "cancelled" } } });
  });

  it("ends a job that no worker had begun, and none begins it", async () => {
    const job = await startJob("read_research_summary");
    expect(await cancel[way](job)).toBeFalsy();
    expect(await cancel[way](job)).toBeFalsy();
    const executed: string[] = [];
    work({
      read_research_summary: async (input: unknown) => {
        executed.push(JSON.stringify(input));
        throw new Error("not to be executed");
      },
    });
    const next = await startJob("verify_citations");
    await eventually(async () => (await statusOf(next)) === "succeeded");
    expect((await ask("tasks/get", { taskId: job })).result).toMatchObject({ status: "cancelled" });
    expect(executed).toEqual([]);
  });

  it("leaves a job that has ended, and its result", async () => {
    work();
    const job = await startJob("verify_citations");
    await eventually(async () => (await statusOf(job)) === "succeeded");
    expect(await cancel[way](job)).toBeFalsy();
    expect(await statusOf(job)).toBe("succeeded");
  });
});

describe("a job of a cancelled run", () => {
  it("is cancelled, and later calls say what to do", async () => {
    const job = await startJob("verify_citations");
    await call("cancel_run", { run_id });
    const told = await call("job_wait", { job_id: job });
    expect(told.result).toMatchObject({ isError: true, structuredContent: { status: "cancelled" } });
    expect(JSON.stringify(told)).toContain("resume_run");
    expect(JSON.stringify(await call("read_research_summary", { run_id }))).toContain("conflict");
  });
});

describe("a job that Redis has lost", () => {
  it.each(["job_wait", "job_wait in short turns", "tasks/get"])(
    "is done all the same for %s",
    async (way) => {
      const job = await startJob("verify_citations");
      await place.redis.flush();
      work();
      if (way === "job_wait") await call("job_wait", { job_id: job });
      await eventually(async () => {
        if (way === "tasks/get")
          return (await ask("tasks/get", { taskId: job })).result?.["status"] === "completed";
        const told = await call("job_wait", { job_id: job, timeout_ms: 0 });
        return told.result?.structuredContent?.["status"] === "succeeded";
      });
    },
  );

  it("is done for the call that waits for it", async () => {
    const patient = await startTestGateway(place);
    place.closing(() => patient.close(100));
    const peer = await connectModernHttp(patient.url);
    place.closing(() => peer.close());
    const answer = peer.call("verify_citations", { run_id });
    await eventually(async () => (await statusOf(`${run_id}-verify_citations-g1`)) === "queued");
    await place.redis.flush();
    work();
    expect((await answer).structuredContent).toMatchObject({ status: "succeeded" });
  });

  it("is waited for while Redis is away, and its handle is given out", async () => {
    const job = await startJob("verify_citations");
    await place.redis.kill();
    const told = await call("job_wait", { job_id: job, timeout_ms: 2_500 });
    expect(told.result?.structuredContent).toMatchObject({ job_id: job, status: "queued" });
    await place.redis.restart();
  });
});

describe("the id of a job that nobody asked for", () => {
  it.each([
    "verify_citations-g1",
    "verify_citations-g2",
    "draft_article_section-0123456789abcdef-g1",
    "advance-g1",
  ])("%s is of no job", async (name) => {
    const made = `${run_id}-${name}`;
    for (const tool of ["job_get", "job_wait", "job_cancel"]) {
      const told = await call(tool, { job_id: made });
      expect([tool, told.result]).toMatchObject([tool, { isError: true }]);
      expect(JSON.stringify(told)).toContain("not_found");
    }
    for (const method of ["tasks/get", "tasks/cancel", "tasks/update"])
      expect((await ask(method, { taskId: made })).error).toMatchObject({ code: -32_602 });
    expect((await call("job_list", { run_id })).result?.structuredContent).toMatchObject({ jobs: [] });
  });
});
