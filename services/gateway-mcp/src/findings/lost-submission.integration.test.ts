import { connectModernHttp, eventually, openTestPlace, type Peer, type TestPlace } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestDeps, startFakeWorkers } from "../testing/fake-workers.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";

let place: TestPlace;
/** Ends, as a process does, when it has noted a job and before the queue has it. */
let fated: Peer;
let other: Peer;
let run_id: string;
let submissions: number;

beforeEach(async () => {
  place = await openTestPlace();
  submissions = 0;
  const { deps, close } = openTestDeps(place);
  const producer = {
    ...deps.producer,
    async submit(): Promise<void> {
      submissions += 1;
      await gateway.close(0);
      await new Promise(() => undefined);
    },
  };
  const gateway = await startTestGateway(place, { deps: { ...deps, producer } });
  const replica = await startTestGateway(place, { inlineMs: 0 });
  place.closing(close, () => replica.close(100));
  fated = await connectModernHttp(gateway.url);
  other = await connectModernHttp(replica.url);
  place.closing(
    () => fated.close(),
    () => other.close(),
  );
  run_id = String((await other.call("create_run", { guideline: "# t\n" })).structuredContent?.["run_id"]);
});

afterEach(() => place.close());

/** Serves the queues, and counts how often the work is done. */
function work() {
  const done = { executions: 0 };
  const workers = startFakeWorkers({
    ...place,
    handlers: {
      read_research_summary: async () => {
        done.executions += 1;
        return { title: "t", sections: [], sources: [], failures: 0, words: 0 };
      },
    },
  });
  place.closing(() => workers.close());
  return done;
}

// A retry after a lost answer makes a second job, or the first is never heard of again.
describe("a call whose process ended between noting the job and putting it into the queue", () => {
  const name = "read_research_summary";

  it("is made again and finds the same job, which is done once", async () => {
    await expect(fated.call(name, { run_id })).rejects.toThrow();
    expect(submissions).toBe(1);
    const again = await other.call(name, { run_id });
    const job_id = `${run_id}-${name}-g1`;
    expect(again.structuredContent).toMatchObject({ job_id, status: "queued" });
    const done = work();
    const waited = await other.call("job_wait", { job_id });
    expect(waited.structuredContent).toMatchObject({ job_id, status: "succeeded" });
    expect((await other.call(name, { run_id })).structuredContent).toMatchObject({ job_id });
    expect(done.executions).toBe(1);
  });

  it("is found in the list of jobs, and waiting for it is enough to have it done", async () => {
    await expect(fated.call(name, { run_id })).rejects.toThrow();
    const done = work();
    const { jobs } = (await other.call("job_list", { run_id })).structuredContent as {
      jobs: { job_id: string; status: string }[];
    };
    expect(jobs).toMatchObject([{ job_id: `${run_id}-${name}-g1`, status: "queued" }]);
    await eventually(async () => {
      const told = await other.call("job_wait", { job_id: jobs[0]?.job_id });
      return told.structuredContent?.["status"] === "succeeded";
    });
    expect(done.executions).toBe(1);
  });
});
