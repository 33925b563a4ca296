import { contentInput, contentOutput, sandboxOutcome, sandboxSpan, type Tracing } from "@proofroom/telemetry";
import type { SandboxDriver } from "./sandbox-driver.ts";

/** The same sandbox, of whose jobs each is told: what ran, and how it ended. */
export function traceDriver(driver: SandboxDriver, tracing: Tracing): SandboxDriver {
  return {
    name: driver.name,
    subprocesses: driver.subprocesses,
    probe: (signal) => driver.probe(signal),
    run: (job) =>
      tracing.span(sandboxSpan(job.command, driver.name), async (span) => {
        span.content(contentInput, () => job.files.map(({ content }) => content).join("\n"));
        const outcome = await driver.run(job);
        span.set(sandboxOutcome(outcome));
        span.content(contentOutput, () => JSON.stringify({ stdout: outcome.stdout, stderr: outcome.stderr }));
        return outcome;
      }),
    close: () => driver.close(),
  };
}
