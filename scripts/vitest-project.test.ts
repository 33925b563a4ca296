import { describe, expect, test } from "vitest";
import { countTests } from "./checks/vitest-project.ts";

const report = (passed: number, failed: number, testResults: { status: string; tests: string[] }[] = []) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  testResults: testResults.map(({ status, tests }) => ({
    status,
    assertionResults: tests.map((test) => ({ status: test })),
  })),
});

describe("counting the tests of a run", () => {
  test("passed and failed tests are summed", () => {
    const files = [{ status: "failed", tests: ["passed", "failed"] }];
    expect(countTests(report(3, 1, files), 1)).toEqual({ passed: 3, failed: 1 });
  });

  test("a file that breaks before its tests is a failure", () => {
    expect(countTests(report(3, 0, [{ status: "failed", tests: [] }]), 1)).toEqual({ passed: 3, failed: 1 });
  });

  test("a file that breaks after its tests have passed is a failure", () => {
    expect(countTests(report(3, 0, [{ status: "failed", tests: ["passed"] }]), 1)).toEqual({
      passed: 3,
      failed: 1,
    });
  });

  test("an unhandled error outside every file is a failure", () => {
    expect(countTests(report(3, 0), 1)).toEqual({ passed: 3, failed: 1 });
  });

  test("a run without a report, or killed at its time limit, is a failure", () => {
    expect(countTests(undefined, 0)).toEqual({ passed: 0, failed: 1 });
    expect(countTests(report(3, 0), null)).toEqual({ passed: 3, failed: 1 });
  });

  test("a good run has no failure", () => {
    expect(countTests(report(3, 0, [{ status: "passed", tests: ["passed"] }]), 0)).toEqual({
      passed: 3,
      failed: 0,
    });
  });
});
