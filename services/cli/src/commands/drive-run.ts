import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { costOfRun } from "@proofroom/artifacts";
import { ProofroomError } from "@proofroom/contracts";
import { openLedger } from "@proofroom/runtime/records";
import { followRun } from "../host/follow-run.ts";
import { type Host, openHost } from "../host/open-host.ts";
import { withBudgetWayOn } from "../output/budget-way-on.ts";
import { type ExitCode, exitCodeOf, exitCodes, failureText } from "../output/failure.ts";
import { createProgressView } from "../output/progress.ts";
import { artifactReader, collectResult, copyResults, type RunResult, resultText } from "../output/results.ts";
import type { Terminal } from "../output/terminal.ts";
import { type Settings, userPath } from "../settings.ts";
import type { CommandContext } from "./context.ts";

export interface DriveOptions {
  runId: string;
  /** Folder for the three results; by default one named after the title. */
  out: string | undefined;
  start(host: Host): Promise<unknown>;
}

/** The name of the folder of a title's results. */
export function slugOf(title: string): string {
  const slug = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return slug === "" ? "article" : slug;
}

function exitOf(result: RunResult): ExitCode {
  if (result.status === "succeeded") return result.article === "approved" ? exitCodes.done : exitCodes.draft;
  if (result.error !== null)
    return exitCodeOf(result.error) === exitCodes.needed ? exitCodes.needed : exitCodes.failed;
  return exitCodes.failed;
}

/**
 * Shows what a run came to; answers the exit code that tells the same.
 * @param resume the command that goes on with it, as the user types it
 */
export function showResult(terminal: Terminal, ended: RunResult, resume: string): ExitCode {
  const error = ended.error === null ? null : withBudgetWayOn(ended.error, resume);
  const result = { ...ended, error };
  if (error !== null) terminal.note(failureText(error));
  terminal.result(result, resultText(result));
  return exitOf(result);
}

async function* only(runId: string): AsyncGenerator<string> {
  yield runId;
}

/**
 * The folder for a run's results, by default one named after its title. Looked at before an hour's work, not after it.
 * @throws ProofroomError invalid_input where it is a file
 */
export async function resultsFolder(
  settings: Settings,
  out: string | undefined,
  title: string,
): Promise<string> {
  const path = resolve(userPath(settings, out ?? join("proofroom-out", slugOf(title))));
  const facts = await stat(path).catch(() => null);
  if (facts === null || facts.isDirectory()) return path;
  throw new ProofroomError({
    code: "invalid_input",
    message: `${path} is a file, and the results need a folder.`,
    remedy: "Name another folder with --out.",
  });
}

/** Hosts everything in this process, sets the run in motion, shows it to its end and writes its results. */
export async function driveRun(context: CommandContext, options: DriveOptions): Promise<ExitCode> {
  const { settings, terminal, signal, log } = context;
  const store = await context.store();
  const { manifest } = await openLedger(store, options.runId).load();
  const out = await resultsFolder(settings, options.out, manifest.title);
  const resume = context.typed(`resume ${options.runId}`);
  const host = await openHost({
    settings,
    store,
    log,
    tracing: await context.tracing(),
    signal,
    notice: (line) => terminal.note(line),
    runs: () => only(options.runId),
  });
  try {
    const view = createProgressView(terminal);
    const outcome = await followRun({
      store,
      host,
      runId: options.runId,
      view,
      signal,
      resumedBy: resume,
      start: () => options.start(host),
    });
    const read = artifactReader(store, options.runId);
    const files = await copyResults(read, out, (line) => terminal.note(line));
    const cost = await costOfRun(store, options.runId);
    const result = await collectResult(read, { runId: options.runId, outcome, files, cost });
    return showResult(terminal, result, resume);
  } finally {
    await host.close();
  }
}
