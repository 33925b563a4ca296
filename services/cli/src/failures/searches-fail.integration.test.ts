import { afterAll, beforeAll, describe, it } from "vitest";
import { type FailureHost, openFailureHost } from "../testing/failure-host.ts";
import { searchFailures, searchStages } from "../testing/failures.ts";

let host: FailureHost;

beforeAll(async () => {
  host = await openFailureHost();
});

afterAll(() => host.close());

/** So long a provider may take with all its failures, in milliseconds. */
const timeout = 300_000;

describe.concurrent("a run whose search fails", { timeout }, () => {
  it.for(searchStages)(
    "at %s goes on with what it has, and says why there is no more",
    async (stage, { expect }) => {
      await Promise.all(
        Object.entries(searchFailures).map(async ([name, answer]) => {
          const isSlow = name === "slow body";
          const result = await host.write({ stage, answer: () => answer(stage), isSlow }, stage);
          const what = `${name} at ${stage}`;
          // No case is one that never came to its failure.
          expect.soft(result.failed, what).toBeGreaterThan(0);
          // Nobody is asked for ever.
          expect.soft(result.failed, what).toBeLessThanOrEqual(3);
          expect.soft(result.course, what).toBe("went on");
          expect.soft(result.outcome.status, what).toBe("succeeded");
          expect
            .soft(result.outcome.reasons, what)
            .toContainEqual(expect.stringMatching(/^Search round 1 found nothing: ./));
          expect.soft(result.page, what).toMatch(/<\/html>\s*$/);
        }),
      );
    },
  );
});
