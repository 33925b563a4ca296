import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../shared/queue/src/private-redis/run-command.ts";
import type { Check, CheckResult } from "./check.ts";

const PROJECT_TIMEOUT_MS = 2_400_000;

/** The parts of vitest's JSON report (the format of Jest's) that are counted. */
export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

/**
 * The tests of one vitest project, shown as they run.
 *
 * @param filters as vitest takes them; with filters, a project in which none matches is no failure
 */
export function vitestProject(
  project: string,
  filters: readonly string[],
  show: (text: string) => void,
): Check {
  return {
    name: `${project} tests`,
    async run({ root, signal }) {
      const folder = mkdtempSync(join(tmpdir(), "proofroom-tests-"));
      const file = join(folder, "report.json");
      const args = [
        "run",
        "--project",
        project,
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${file}`,
      ];
      if (filters.length > 0) args.push("--passWithNoTests", ...filters);
      try {
        const vitest = join(root, "node_modules/vitest/vitest.mjs");
        const options = { timeoutMs: PROJECT_TIMEOUT_MS, signal, cwd: root, onOutput: show };
        const { exitCode } = await runCommand(process.execPath, [vitest, ...args], options);
        return { ...countTests(readReport(file), exitCode), output: "" };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/**
 * Tests that passed and failed. A file that fails outside its tests counts as one failure, and so does a run that fails in no test
 * at all (an unhandled error, a crash, a time limit): nothing that went wrong may end as "0 failed".
 */
export function countTests(
  report: VitestReport | undefined,
  exitCode: number | null,
): Pick<CheckResult, "passed" | "failed"> {
  if (!report) return { passed: 0, failed: 1 };
  const brokenFiles = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  const failed = report.numFailedTests + brokenFiles.length;
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

/** Undefined where vitest ended before it could write one. */
function readReport(file: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
