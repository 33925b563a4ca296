import type { Check, CheckContext, CheckResult } from "./check.ts";

/**
 * Runs checks, several at a time, going on after failures. Each is reported in a line with its seconds when it is done, with its
 * output where it failed.
 */
export async function runChecks(
  checks: readonly Check[],
  options: CheckContext & { atOnce: number; print: (line: string) => void },
): Promise<{ passed: number; failed: number }> {
  const waiting = [...checks];
  const total = { passed: 0, failed: 0 };
  const work = async () => {
    for (
      let check = waiting.shift();
      check !== undefined && !options.signal.aborted;
      check = waiting.shift()
    ) {
      const start = performance.now();
      const { passed, failed, output } = await runOne(check, options);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      if (failed > 0 && output.trim() !== "") options.print(output.trimEnd());
      options.print(`${failed > 0 ? "FAILED" : "ok    "}  ${check.name} (${seconds} s)`);
      total.passed += passed;
      total.failed += failed;
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, work));
  return total;
}

async function runOne(check: Check, context: CheckContext): Promise<CheckResult> {
  try {
    return await check.run(context);
  } catch (error) {
    return { passed: 0, failed: 1, output: error instanceof Error ? error.message : String(error) };
  }
}
