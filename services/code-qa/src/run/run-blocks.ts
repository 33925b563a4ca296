import type { SnippetResult } from "@proofroom/contracts";
import type { Fence } from "@proofroom/markdown";
import { defaultLimits, type SandboxDriver, type SandboxLimits } from "../sandbox/sandbox-driver.ts";
import type { SyntaxChecker, SyntaxReport } from "../syntax/check-syntax.ts";
import type { PythonHelper } from "../syntax/python-helper.ts";
import { type BlockNames, blockNames } from "./block-names.ts";
import { type Candidate, candidateOf, isMarkedNoRun } from "./candidate.ts";
import { matchesOutput, outputBlocks } from "./expected-output.ts";
import { type Judgement, passed } from "./judge.ts";
import { missingName, type PassedBlock, runWithOthers } from "./run-group.ts";

/** Everything that is known of one block after the check. */
export interface BlockResult {
  index: number;
  syntax: SyntaxReport["syntax"];
  syntax_error: string | null;
  /** 1-based line of the code where the syntax error is. */
  error_line: number | null;
  run: SnippetResult["run"];
  reason: SnippetResult["reason"];
  /** Why it did not pass, in words. */
  error: string | null;
  exit_code: number | null;
  stdout: string;
  stderr: string;
  truncated: boolean;
  duration_ms: number;
  /** The blocks that share state with it when it passes, itself included; it alone where none do. */
  group: readonly number[];
}

interface RunBlocksDeps {
  checkSyntax: SyntaxChecker;
  python: PythonHelper | null;
  driver: SandboxDriver;
  /** Whether code is to be run at all; `false` leaves every block that could be run as `not_requested`. */
  run: boolean;
  /** The blocks that may be run; all by default. The others are `not_requested`. */
  only?: ReadonlySet<number>;
  limits?: SandboxLimits;
  signal: AbortSignal;
}

interface Seen {
  candidate: Candidate;
  names: BlockNames;
  passed: boolean;
}

/**
 * Checks the syntax of every block and runs those of Python, JavaScript and TypeScript in order, each alone and, where
 * it needs them, after earlier blocks of its language that passed.
 */
export async function runBlocks(
  markdown: string,
  fences: readonly Fence[],
  deps: RunBlocksDeps,
): Promise<BlockResult[]> {
  const outputs = outputBlocks(markdown, fences);
  const shown = new Map([...outputs].map(([output, code]) => [code, fences[output - 1]?.code ?? ""]));
  const earlier: PassedBlock[] = [];
  const seen: Seen[] = [];
  const results: BlockResult[] = [];
  for (const fence of fences) {
    const report = await deps.checkSyntax(fence.language, fence.code, deps.signal);
    const candidate = candidateOf(fence);
    const settled = outputs.has(fence.index)
      ? notRun("expected_output")
      : candidate === null
        ? notRun("not_runnable")
        : await settledWithoutRunning(fence, candidate, report, deps);
    if (candidate === null || settled !== null) {
      const verdict = settled ?? notRun("not_runnable");
      results.push(resultOf(fence.index, report, verdict));
      if (candidate !== null) await remember(candidate, false);
      continue;
    }
    results.push(await runOne(candidate, report));
  }
  return results;

  async function remember(candidate: Candidate, hasPassed: boolean, known?: BlockNames): Promise<void> {
    if (!deps.run || deps.driver.name === "none") return;
    const names = known ?? (await namesOf(candidate));
    seen.push({ candidate, names, passed: hasPassed });
  }

  async function namesOf(candidate: Candidate): Promise<BlockNames> {
    return await blockNames(candidate.family, candidate, deps.python, deps.signal);
  }

  async function runOne(candidate: Candidate, report: SyntaxReport): Promise<BlockResult> {
    const names = await namesOf(candidate);
    const expected = shown.get(candidate.index);
    const before = earlier.filter((block) => block.candidate.family === candidate.family);
    const { attempt, judgement, group } = await runWithOthers({ candidate, names }, before, {
      driver: deps.driver,
      limits: deps.limits ?? defaultLimits,
      signal: deps.signal,
      compare: (stdout) => compared(expected, stdout, names),
    });
    const hasPassed = judgement.run === "passed";
    const final = hasPassed ? judgement : withoutPrerequisite(candidate, judgement, missingName(attempt));
    if (hasPassed) earlier.push({ candidate, names, group });
    await remember(candidate, hasPassed, names);
    return {
      ...resultOf(candidate.index, report, final),
      exit_code: attempt.outcome.exit,
      stdout: attempt.outcome.stdout,
      stderr: attempt.outcome.stderr,
      truncated: attempt.outcome.truncated,
      duration_ms: attempt.outcome.ms,
      group: hasPassed ? group : [candidate.index],
    };
  }

  function withoutPrerequisite(
    candidate: Candidate,
    judgement: Judgement,
    missing: string | null,
  ): Judgement {
    if (missing === null || judgement.run !== "failed") return judgement;
    const definedBefore = seen.some(
      (block) =>
        block.candidate.family === candidate.family && !block.passed && block.names.bound.has(missing),
    );
    return definedBefore
      ? { run: "skipped", reason: "prerequisite_not_run", error: judgement.error }
      : judgement;
  }
}

/** The judgement on a block that is not run, or null for one that is to be run. */
async function settledWithoutRunning(
  fence: Fence,
  candidate: Candidate,
  report: SyntaxReport,
  deps: RunBlocksDeps,
): Promise<Judgement | null> {
  if (fence.code.trim() === "") return notRun("empty");
  const marked =
    isMarkedNoRun(fence, candidate.transcript) ||
    (candidate.transcript && (await deps.python?.allSkipped(fence.code, deps.signal)) === true);
  if (marked) return { run: "skipped", reason: "marked_no_run", error: report.error };
  if (report.syntax === "invalid") return { run: "not_run", reason: "syntax_error", error: report.error };
  if (report.syntax === "unchecked" && report.error !== null) {
    return { run: "not_run", reason: "not_runnable", error: report.error };
  }
  if (fence.unclosed) return { run: "skipped", reason: "unclosed_fence", error: null };
  if (report.syntax === "needs_python") {
    return { run: "skipped", reason: "missing_dependency", error: report.error };
  }
  if (!deps.run || deps.only?.has(fence.index) === false) return notRun("not_requested");
  if (deps.driver.name === "none") return notRun("sandbox_unavailable");
  return null;
}

function notRun(reason: NonNullable<Judgement["reason"]>): Judgement {
  return { run: "not_run", reason, error: null };
}

function compared(expected: string | undefined, stdout: string, names: BlockNames): Judgement {
  if (expected === undefined || (stdout === "" && names.endsWithExpression)) return passed;
  if (matchesOutput(expected, stdout)) return passed;
  return {
    run: "failed",
    reason: "output_mismatch",
    error: "It prints something else than the article shows.",
  };
}

function resultOf(index: number, report: SyntaxReport, judgement: Judgement): BlockResult {
  return {
    index,
    syntax: report.syntax,
    syntax_error: report.error,
    error_line: report.error_line,
    ...judgement,
    exit_code: null,
    stdout: "",
    stderr: "",
    truncated: false,
    duration_ms: 0,
    group: [index],
  };
}

/** The sets of blocks that have to be run together, of two blocks or more. */
export function groupsOf(results: readonly BlockResult[]): number[][] {
  return results.flatMap((result) => (result.group.length > 1 ? [[...result.group]] : []));
}
