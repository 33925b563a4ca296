import type { SnippetResult } from "@proofroom/contracts";
import type { Attempt } from "./attempt.ts";

/** How a run counts. */
export interface Judgement {
  run: SnippetResult["run"];
  reason: SnippetResult["reason"];
  error: string | null;
}

export const passed: Judgement = { run: "passed", reason: null, error: null };

const skipReasons = ["missing_dependency", "needs_input", "needs_env", "needs_browser"] as const;

/** What became of the last block of an attempt. Output is not compared here. */
export function judge({ outcome, report }: Attempt): Judgement {
  switch (outcome.verdict) {
    case "ok":
      return passed;
    case "timeout":
      return { run: "timeout", reason: "time_limit", error: "killed at the time limit" };
    case "oom":
      return failed("memory_limit", "killed at the memory limit");
    case "output_limit":
      return failed("output_limit", "killed for printing without end");
    case "signal":
    case "error":
      break;
  }
  if (report?.kind === "mismatch") return failed("output_mismatch", firstLines(outcome.stderr));
  if (report?.kind === "exception") {
    const error = report.message === "" ? report.type : `${report.type}: ${report.message}`;
    if (report.reason === "no_processes") {
      const why = "this sandbox lets no block start another process";
      return { run: "skipped", reason: "missing_dependency", error: `${error} (${why})` };
    }
    const skip = skipReasons.find((reason) => reason === report.reason);
    if (skip !== undefined) return { run: "skipped", reason: skip, error };
    return failed(report.reason ?? "exception", error);
  }
  const ranOutOfMemory = /^MemoryError\b|JavaScript heap out of memory/m.test(outcome.stderr);
  if (ranOutOfMemory) return failed("memory_limit", "out of memory");
  if (outcome.verdict === "signal" && report?.kind !== "exit") {
    return failed("crashed", `killed by ${outcome.signal}`);
  }
  return failed("exit_code", `exit status ${outcome.exit}`);
}

function failed(reason: NonNullable<Judgement["reason"]>, error: string): Judgement {
  return { run: "failed", reason, error };
}

function firstLines(text: string): string {
  return text.split("\n").slice(0, 12).join("\n").trim();
}

/** Whether a failure may be for want of earlier blocks, so that running after them is worth a try. */
export function mayNeedOthers(judgement: Judgement): boolean {
  if (judgement.run !== "failed") return false;
  return judgement.reason !== "exit_code" && !judgement.reason?.startsWith("blocked_");
}
