import { type Capability, ProofroomError } from "@proofroom/contracts";
import type { Producer } from "@proofroom/queue";
import { callCapability, type JobDescription, waitForJob } from "@proofroom/runtime";
import { openLedger } from "@proofroom/runtime/records";
import { type Host, openHost } from "../host/open-host.ts";
import { type ExitCode, exitCodeOf, exitCodes, failureText } from "../output/failure.ts";
import { summaryOf } from "../output/step-summary.ts";
import { type CommandContext, parseRunId } from "./context.ts";

export interface ToolRequest {
  capability: Capability;
  runId: string;
  input: Record<string, unknown>;
  /** Execute again although the result stands. */
  force: boolean;
}

/** Runs one capability on a run and gives its output. The same call again finds the same result while it stands. */
export async function toolCommand(context: CommandContext, request: ToolRequest): Promise<ExitCode> {
  const { settings, terminal, log, signal } = context;
  const runId = parseRunId(context, request.runId);
  const store = await context.store();
  await openLedger(store, runId).manifest();
  // Only a job that has to be executed needs a queue and workers.
  let host: Host | undefined;
  const open = async () => {
    host ??= await openHost({
      settings,
      store,
      log,
      tracing: await context.tracing(),
      signal,
      notice: (line) => terminal.note(line),
    });
    return host;
  };
  const producer: Producer = {
    submit: async (capability, job) => (await open()).orchestrator.producer.submit(capability, job),
    close: async () => undefined,
  };
  try {
    const job = await callCapability({ store, producer }, { ...request, runId });
    const waiting = waitForJob(store, job, { signal, resubmit: () => job.resubmit() });
    return answer(context, await Promise.race(host === undefined ? [waiting] : [waiting, host.lost]));
  } finally {
    await host?.close();
  }
}

function answer({ terminal }: CommandContext, job: JobDescription): ExitCode {
  if (job.output === undefined) {
    const error = job.error ?? new ProofroomError({ code: "cancelled", message: "The job was cancelled." });
    terminal.note(failureText(error));
    terminal.result({ error: { code: error.code, message: error.message, remedy: error.remedy } }, "");
    return exitCodeOf(error);
  }
  const summary = summaryOf({ capability: job.capability, output: job.output });
  terminal.result(job.output, summary === "" ? JSON.stringify(job.output, null, 2) : summary);
  return job.output["status"] === "error" ? exitCodes.failed : exitCodes.done;
}
