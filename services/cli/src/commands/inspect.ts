import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openRunArtifacts } from "@proofroom/artifacts";
import { isBookkeeping, ProofroomError } from "@proofroom/contracts";
import { spentOn } from "@proofroom/models";
import {
  describeRun,
  indexRuns,
  openLedger,
  pageOfRuns,
  type StepDescription,
} from "@proofroom/runtime/records";
import pc from "picocolors";
import { costOf, costText } from "../output/cost.ts";
import { type ExitCode, exitCodes, failureText } from "../output/failure.ts";
import { localTime } from "../output/local-time.ts";
import { failureLines, summaryOf, titleOf } from "../output/step-summary.ts";
import { userPath } from "../settings.ts";
import { type CommandContext, parseRunId } from "./context.ts";

/** Every run in the store, newest last. */
export async function listCommand(context: CommandContext): Promise<ExitCode> {
  const store = await context.store();
  await indexRuns(store, context.signal);
  const { runs: newestFirst, unreadable } = await pageOfRuns(store, { signal: context.signal });
  const runs = newestFirst.reverse();
  for (const runId of unreadable) context.terminal.note(`${runId}: its records cannot be read.`);
  const lines = runs.map((run) => {
    const state = run.article === null ? run.status : `${run.status}, ${run.article}`;
    return `${run.run_id}  ${run.created_at.slice(0, 16).replace("T", " ")}  ${state.padEnd(19)}  ${run.title}`;
  });
  context.terminal.result(
    { runs },
    lines.length === 0 ? "There are no runs yet: proofroom write GUIDELINE.md makes one." : lines.join("\n"),
  );
  return exitCodes.done;
}

const marks = { done: pc.green("✓"), stale: pc.yellow("~"), failed: pc.red("✗"), unfinished: "…" } as const;

function stepLine(step: StepDescription): string {
  const { service, title } = titleOf(step.step);
  const summary =
    step.output === undefined
      ? (step.error?.message ?? "")
      : summaryOf({ capability: step.capability, output: step.output });
  const again = step.generation > 1 ? ` (generation ${step.generation})` : "";
  const stale = step.state === "stale" ? " (stale: what it read has changed)" : "";
  const failures = step.output === undefined ? [] : failureLines({ output: step.output });
  const list = failures.map((failure) => `\n     - ${failure}`).join("");
  const mark = step.state === "done" && failures.length > 0 ? pc.yellow("!") : marks[step.state];
  return ` ${mark} ${service.padEnd(12)} ${title}${again}${summary === "" ? "" : `: ${summary}`}${stale}\n   ${pc.dim(step.step)}${list}`;
}

/** One run and its steps. */
export async function statusCommand(context: CommandContext, id: string): Promise<ExitCode> {
  const store = await context.store();
  const run = await describeRun(store, parseRunId(id));
  const cost = costOf(await spentOn(store, run.run_id));
  const lines = [
    `${run.title}`,
    `${run.run_id}: ${run.status}${run.article === null ? "" : `, ${run.article}`}`,
  ];
  if (run.waiting_until !== null)
    lines.push(`All models are at their limits; it goes on at ${localTime(run.waiting_until)}.`);
  lines.push(...run.steps.map(stepLine));
  for (const reason of run.reasons) lines.push(`  - ${reason}`);
  if (run.error !== null) lines.push(failureText(run.error));
  if (cost !== null) lines.push(costText(cost));
  if (run.status === "running" || run.status === "waiting_quota")
    lines.push(`If no process works on it: proofroom resume ${run.run_id}`);
  if (run.steps.some(({ state }) => state === "stale"))
    lines.push(`Stale steps run again with: proofroom resume ${run.run_id}`);
  context.terminal.result({ ...run, cost }, lines.join("\n"));
  return exitCodes.done;
}

/** A run's files among others would be taken for sources, or lay theirs over them. */
async function assertRoom(target: string, shown: string): Promise<void> {
  const entries = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new ProofroomError({
      code: "invalid_input",
      message: `${shown} is not a folder that can be written.`,
      remedy: "Name a new folder.",
      cause: error,
    });
  });
  if (entries.length > 0) {
    throw new ProofroomError({
      code: "conflict",
      message: `The folder ${shown} is not empty.`,
      remedy: "Name a new folder.",
    });
  }
}

/** Writes a run's artifacts as a folder with the reference system's names. */
export async function exportCommand(context: CommandContext, id: string, folder: string): Promise<ExitCode> {
  const store = await context.store();
  const runId = parseRunId(id);
  await openLedger(store, runId).manifest();
  const artifacts = openRunArtifacts(store, runId);
  const target = userPath(context.settings, folder);
  await assertRoom(target, folder);
  const written: string[] = [];
  for await (const name of artifacts.list("", context.signal)) {
    if (isBookkeeping(name)) continue;
    const bytes = await artifacts.readPlain(name, context.signal);
    if (bytes === null) continue;
    const path = join(target, ...name.split("/"));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    written.push(name);
  }
  if (written.length === 0)
    throw new ProofroomError({ code: "not_found", message: "The run has no artifacts yet." });
  context.terminal.result(
    { run_id: runId, folder: target, files: written },
    `${written.length} files in ${target}`,
  );
  return exitCodes.done;
}
