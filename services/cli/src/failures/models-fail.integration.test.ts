import { afterAll, beforeAll, describe, it } from "vitest";
import { type CaseResult, type FailureHost, openFailureHost } from "../testing/failure-host.ts";
import { type ModelStage, modelFailures, modelStages } from "../testing/failures.ts";

let host: FailureHost;

beforeAll(async () => {
  host = await openFailureHost();
});

afterAll(() => host.close());

/** So long a stage may take with all its failures beside the other stages on a busy machine, in milliseconds. */
const timeout = 600_000;

/** What is waited for, which is told; the run goes on by itself, or with what it is given. */
const waitedFor: ReadonlySet<string> = new Set([
  "429 without a hint",
  "429 with Retry-After",
  "429 of the minute with RetryInfo",
  "429 of the day",
  "503",
  "503 with Retry-After",
  "502 with a web page",
]);

/** What a run stops for, with the code of the error that says what is needed. */
const stoppedFor: ReadonlyMap<string, string> = new Map([
  ["key refused", "not_configured"],
  ["cut before the answer", "unreachable"],
  ["cut in the body", "unreachable"],
  ["slow body", "unreachable"],
]);

/**
 * Watching a video takes nearly all the tokens of a minute: what was answered, or may have been, leaves no room for another call
 * within that.
 */
const countedAgainst: ReadonlySet<string> = new Set([
  "slow body",
  "200 with a web page",
  "malformed JSON",
  "cut off at MAX_TOKENS",
  "without an end",
  "empty",
  "off the schema",
]);

/** What these do can be left out: a video that cannot be had, a page that is not cleaned, a search, a choice that rules can make. */
const dispensable: ReadonlySet<ModelStage> = new Set([
  "transcriber",
  "cleaner",
  "searcher",
  "selector",
  "reader",
]);

function courseOf(stage: ModelStage, failure: string): string {
  if (waitedFor.has(failure)) return "waited";
  if (stage === "transcriber" && countedAgainst.has(failure)) return "waited";
  const code = dispensable.has(stage) ? undefined : stoppedFor.get(failure);
  return code === undefined ? "went on" : `stopped: ${code}`;
}

/**
 * Waits that the provider named, in seconds, each told apart from the 20 and the 5 that a run waits where it names none. The part of a
 * stage that tells of it first may have come when some of the wait was over.
 */
const named: ReadonlyMap<string, { over: number; most: number }> = new Map([
  ["429 with Retry-After", { over: 0, most: 2 }],
  ["429 of the minute with RetryInfo", { over: 0, most: 2 }],
  ["503 with Retry-After", { over: 5, most: 25 }],
]);

function toldOf({ course, code, said }: CaseResult): string {
  if (course === "went on") return course;
  if (course === "waited") return said ? course : "waited without a word of what for, and until when";
  return said ? `stopped: ${code}` : `stopped without a word of what is needed: ${code}`;
}

describe.concurrent("a run whose models fail", { timeout }, () => {
  it.for(modelStages)(
    "at the stage of the %s ends all the same, or says what is needed and then ends",
    async (stage, { expect }) => {
      const names = Object.keys(modelFailures);
      const results = await Promise.all(
        Object.entries(modelFailures).map(async ([name, answer]) => {
          const result = await host.write({ stage, answer, isSlow: name === "slow body" });
          // No case is one that never came to its failure.
          expect.soft(result.failed, `${name} at the ${stage}`).toBeGreaterThan(0);
          const { status, error } = result.outcome;
          expect.soft({ status, error }, `${name} at the ${stage}`).toEqual({ status: "succeeded" });
          expect.soft(result.page, `${name} at the ${stage}`).toMatch(/<\/html>\s*$/);
          const wait = named.get(name);
          if (wait !== undefined) {
            expect.soft(result.waitSeconds, `${name} at the ${stage}`).toBeGreaterThan(wait.over);
            expect.soft(result.waitSeconds, `${name} at the ${stage}`).toBeLessThanOrEqual(wait.most);
          }
          return [name, toldOf(result)] as const;
        }),
      );
      expect(Object.fromEntries(results)).toEqual(
        Object.fromEntries(names.map((name) => [name, courseOf(stage, name)])),
      );
    },
  );
});
