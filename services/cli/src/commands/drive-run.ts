import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ProofroomError } from "@proofroom/contracts";
import { openLedger } from "@proofroom/runtime/records";
import { followRun } from "../host/follow-run.ts";
import { type Host, openHost } from "../host/open-host.ts";
import { type ExitCode, exitCodeOf, exitCodes, failureText } from "../output/failure.ts";
import { createProgressView } from "../output/progress.ts";
import { collectResult, copyResults, type RunResult, resultText } from "../output/results.ts";
import { userPath } from "../settings.ts";
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

async function* only(runId: string): AsyncGenerator<string> {
  yield runId;
}

/** Before an hour's work, not after it. */
async function assertFolder(path: string): Promise<void> {
  const facts = await stat(path).catch(() => null);
  if (facts === null || facts.isDirectory()) return;
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
  const out = resolve(userPath(settings, options.out ?? join("proofroom-out", slugOf(manifest.title))));
  await assertFolder(out);
  const host = await openHost({
    settings,
    store,
    log,
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
      start: () => options.start(host),
    });
    const files = await copyResults(store, options.runId, out, (line) => terminal.note(line));
    const result = await collectResult(store, options.runId, outcome, files);
    if (result.error !== null) terminal.note(failureText(result.error));
    terminal.result(result, resultText(result));
    return exitOf(result);
  } finally {
    await host.close();
  }
}
