import { ProofroomError } from "@proofroom/contracts";
import { eventually } from "@proofroom/testing";
import { describe, expect, it } from "vitest";
import { childCapability, parentCapability, sampleOwner, stepJob } from "./testing/sample-jobs.ts";
import { idOf, useTestQueues } from "./testing/test-queue.ts";
import { WaitForChildren } from "./wait-for-children.ts";

const setUp = useTestQueues();

const invalid = () => new ProofroomError({ code: "invalid_input", message: "no" });

describe("a parent", () => {
  const children = [1, 2, 3].map((n) => ({
    capability: childCapability,
    job: stepJob(n, childCapability.name, "process_local_files-0000000000000001"),
  }));
  const parent = stepJob(1, parentCapability.name);

  it("comes back when its children are through, and learns which of them failed for good", async () => {
    const { producer, worker, state } = setUp();
    worker(async ({ job }) => {
      if (job.step_id === children[0]?.job.step_id) throw invalid();
      return {};
    }, childCapability);
    const told: string[][] = [];
    worker(async ({ failedChildren }) => {
      told.push([...(await failedChildren())]);
      if (told.length === 1) throw new WaitForChildren(children, sampleOwner);
      return {};
    }, parentCapability);
    await producer.submit(parentCapability, parent);
    await eventually(async () => (await state(idOf(parent), parentCapability)) === "completed");
    expect(told).toEqual([[], [idOf(children[0]?.job ?? parent)]]);
  });

  it("does not take a child for lost whose execution was cancelled", async () => {
    const { producer, worker, state } = setUp();
    worker(async () => {
      throw new ProofroomError({ code: "cancelled", message: "The run was cancelled." });
    }, childCapability);
    const told: string[][] = [];
    worker(async ({ failedChildren }) => {
      told.push([...(await failedChildren())]);
      if (told.length === 1) throw new WaitForChildren(children, sampleOwner);
      return {};
    }, parentCapability);
    await producer.submit(parentCapability, parent);
    await eventually(async () => (await state(idOf(parent), parentCapability)) === "completed");
    expect(told).toEqual([[], []]);
  });

  it("that fails while its children run is terminal, and so are they", async () => {
    const { producer, worker, state } = setUp();
    const leave = Promise.withResolvers<void>();
    worker(async () => {
      await leave.promise;
      return {};
    }, childCapability);
    let entries = 0;
    worker(async () => {
      entries += 1;
      if (entries === 1) throw new WaitForChildren(children, sampleOwner);
      throw invalid();
    }, parentCapability);
    await producer.submit(parentCapability, parent);
    await eventually(async () => (await state(idOf(parent), parentCapability)) === "waiting-children");
    // A second submission of a parent that waits changes nothing.
    await producer.submit(parentCapability, parent);
    leave.resolve();
    await eventually(async () => (await state(idOf(parent), parentCapability)) === "failed");
    for (const { job } of children) expect(await state(idOf(job), childCapability)).toBe("completed");
    expect(entries).toBe(2);
  });

  it("whose child cannot be put into its queue fails with words that are public, as it fails by itself", async () => {
    const { producer, worker, state, job } = setUp();
    let entries = 0;
    const [child] = children;
    const large = { ...(child?.job ?? parent), input: { text: "x".repeat(2_000) } };
    worker(async () => {
      entries += 1;
      throw new WaitForChildren([{ capability: childCapability, job: large }], sampleOwner);
    }, parentCapability);
    await producer.submit(parentCapability, parent);
    await eventually(async () => (await state(idOf(parent), parentCapability)) === "failed");
    expect(entries).toBe(1);
    const { failedReason = "" } = (await job(idOf(parent), parentCapability)) ?? {};
    expect(JSON.parse(failedReason)).toMatchObject({ code: "invalid_input" });
  });

  it("waits for the slowest of its children though another has failed", async () => {
    const { producer, worker, state } = setUp();
    const leave = Promise.withResolvers<void>();
    const [quick, slow] = children.map(({ job }) => job);
    worker(async ({ job }) => {
      if (job.step_id === quick?.step_id) throw invalid();
      if (job.step_id === slow?.step_id) await leave.promise;
      return {};
    }, childCapability);
    const entered: string[] = [];
    worker(async () => {
      entered.push(await state(idOf(slow ?? parent), childCapability));
      if (entered.length === 1) throw new WaitForChildren(children, sampleOwner);
      return {};
    }, parentCapability);
    await producer.submit(parentCapability, parent);
    await eventually(async () => (await state(idOf(quick ?? parent), childCapability)) === "failed");
    await eventually(async () => (await state(idOf(slow ?? parent), childCapability)) === "active");
    expect(await state(idOf(parent), parentCapability)).toBe("waiting-children");
    leave.resolve();
    await eventually(async () => (await state(idOf(parent), parentCapability)) === "completed");
    expect(entered).toEqual(["unknown", "completed"]);
  });

  it("submitted five times at once is executed once, and so is each of its children", async () => {
    const { producer, worker, state } = setUp();
    const executed: string[] = [];
    worker(async ({ job }) => {
      executed.push(job.step_id);
      return {};
    }, childCapability);
    worker(async ({ job }) => {
      executed.push(job.step_id);
      if (executed.length === 1) throw new WaitForChildren(children, sampleOwner);
      return {};
    }, parentCapability);
    const others = [1, 2, 3, 4].map(() => setUp().producer);
    await Promise.all([producer, ...others].map((one) => one.submit(parentCapability, parent)));
    await eventually(async () => (await state(idOf(parent), parentCapability)) === "completed");
    // It goes in once, and comes back once.
    const expected = [parent.step_id, parent.step_id, ...children.map(({ job }) => job.step_id)];
    expect(executed.toSorted()).toEqual(expected.toSorted());
  });

  it("that asks for children of another which lives fails instead of waiting for ever, and the other gets them", async () => {
    const { producer, worker, state } = setUp();
    const leave = Promise.withResolvers<void>();
    const executed: string[] = [];
    worker(async ({ job }) => {
      executed.push(job.step_id);
      await leave.promise;
      return {};
    }, childCapability);
    const once = { ...parentCapability, policy: { ...parentCapability.policy, attempts: 1 } };
    const entered: number[] = [];
    worker(async ({ job: { generation } }) => {
      entered.push(generation);
      if (entered.length <= 2) throw new WaitForChildren(children, sampleOwner);
      return {};
    }, once);
    const other = { ...parent, generation: 2 };
    await producer.submit(once, parent);
    await eventually(async () => (await state(idOf(parent), once)) === "waiting-children");
    await producer.submit(once, other);
    await eventually(async () => (await state(idOf(other), once)) === "failed");
    leave.resolve();
    await eventually(async () => (await state(idOf(parent), once)) === "completed");
    expect(entered).toEqual([1, 2, 1]);
    expect(executed.toSorted()).toEqual(children.map(({ job }) => job.step_id).toSorted());
  });
});
