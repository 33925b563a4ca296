import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openRunArtifacts } from "@proofroom/artifacts";
import { isBookkeeping, ProofroomError } from "@proofroom/contracts";
import { openLedger } from "@proofroom/runtime/records";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import { userPath } from "../settings.ts";
import { type CommandContext, parseRunId } from "./context.ts";

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
  const runId = parseRunId(context, id);
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
