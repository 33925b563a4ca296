import { catalog } from "@proofroom/contracts";
import { expect, it } from "vitest";
import { jobOptions } from "./job-options.ts";
import { stepJob } from "./testing/sample-jobs.ts";

it("every job of every queue is kept as long: one that ends removes others by its own age, not by theirs", () => {
  const kept = catalog.flatMap((capability) =>
    [
      stepJob(1, capability.name),
      { ...stepJob(2, capability.name, "parent"), generation: 7, input: { a: 1 } },
    ].map((job) => {
      const { removeOnComplete, removeOnFail } = jobOptions(capability, job);
      return JSON.stringify({ removeOnComplete, removeOnFail });
    }),
  );
  expect([...new Set(kept)]).toEqual([
    JSON.stringify({
      removeOnComplete: { age: 3_600, count: 1_000 },
      removeOnFail: { age: 86_400, count: 1_000 },
    }),
  ]);
});
