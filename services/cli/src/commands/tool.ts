import { setTimeout as pause } from "node:timers/promises";
import { openRunArtifacts } from "@proofroom/artifacts";
import { type Capability, ProofroomError, type PublicError, type StepRecord } from "@proofroom/contracts";
import { submitStep } from "@proofroom/runtime";
import { isStale, type Ledger, loadSuccessors, openLedger, stepIdOf } from "@proofroom/runtime/records";
import { openHost } from "../host/open-host.ts";
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

function parseInput(capability: Capability, input: Record<string, unknown>): Record<string, unknown> {
  const parsed = capability.input.strict().safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ProofroomError({
    code: "invalid_input",
    message: `The input of ${capability.name} is not valid: ${issue?.path.join(".") || "input"}: ${issue?.message ?? ""}`,
    remedy: `proofroom tool ${capability.name} --help shows what it takes.`,
  });
}

/** The generation that answers the call: the newest, or the next where it failed, is stale, or is forced. */
async function generationFor(
  context: CommandContext,
  ledger: Ledger,
  stepId: string,
  force: boolean,
): Promise<number> {
  const step = (await ledger.load()).steps.get(stepId);
  if (step === undefined) return 1;
  const artifacts = openRunArtifacts(await context.store(), ledger.runId);
  const stale =
    step.record !== null && isStale(step.record, await loadSuccessors(artifacts, [step.record]), () => true);
  if (step.failure === null && !stale && !(force && step.record !== null)) return step.generation;
  const next = step.generation + 1;
  await ledger.requestGeneration(stepId, next, stale ? "stale" : force ? "force" : "retry");
  return next;
}

/** How often the ledger is asked, and how often the job is put in again in case Redis lost it; milliseconds. */
const askEvery = 100;
const submitEvery = 2_000;

async function ending(
  ledger: Ledger,
  step: { stepId: string; generation: number },
  submit: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<{ record: StepRecord } | { error: PublicError }> {
  let submitted = Number.NEGATIVE_INFINITY;
  for (;;) {
    const record = await ledger.record(step);
    if (record !== null) return { record };
    const error = await ledger.failure(step);
    if (error !== null) return { error };
    if (performance.now() - submitted > submitEvery) {
      await submit();
      submitted = performance.now();
    }
    await pause(askEvery, undefined, { signal });
  }
}

/** Runs one capability on a run and gives its output. The same call again finds the same result while it stands. */
export async function toolCommand(context: CommandContext, request: ToolRequest): Promise<ExitCode> {
  const { settings, terminal, log, signal } = context;
  const { capability } = request;
  const runId = parseRunId(request.runId);
  const input = parseInput(capability, request.input);
  const store = await context.store();
  const ledger = openLedger(store, runId);
  await openRunArtifacts(store, (await ledger.manifest()).run_id).adoptEdits(signal);
  const stepId = stepIdOf(capability, input);
  const generation = await generationFor(context, ledger, stepId, request.force);
  const stands = await ledger.record({ stepId, generation });
  if (stands !== null) return answer(context, stands);
  const host = await openHost({
    settings,
    store,
    log,
    signal,
    notice: (line) => terminal.note(line),
    runs: async function* () {},
  });
  try {
    const submit = () =>
      submitStep({ store, producer: host.orchestrator.producer }, runId, { capability, input, generation });
    const end = await Promise.race([ending(ledger, { stepId, generation }, submit, signal), host.lost]);
    if ("record" in end) return answer(context, end.record);
    terminal.note(failureText(end.error));
    terminal.result({ error: end.error }, "");
    return exitCodeOf(end.error);
  } finally {
    await host.close();
  }
}

function answer({ terminal }: CommandContext, record: StepRecord): ExitCode {
  const summary = summaryOf(record);
  terminal.result(record.output, summary === "" ? JSON.stringify(record.output, null, 2) : summary);
  return record.output["status"] === "error" ? exitCodes.failed : exitCodes.done;
}
