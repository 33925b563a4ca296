import { join } from "node:path";
import { artifact, ProofroomError, uploadsSchema } from "@proofroom/contracts";
import { createRun, openLedger } from "@proofroom/runtime/records";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import { newestText, takeOver } from "../replay/take-over.ts";
import { type CommandContext, parseRunId } from "./context.ts";
import { driveNewRun } from "./drive-new-run.ts";
import { slugOf } from "./drive-run.ts";

/**
 * Makes a new run of what another gathered and was answered by models, and executes everything that follows from that again:
 * nobody is asked, and nothing is fetched. Says whether the article came out the same.
 */
export async function replayCommand(
  context: CommandContext,
  id: string,
  out: string | undefined,
): Promise<ExitCode> {
  const { signal, terminal } = context;
  const from = parseRunId(context, id);
  const store = await context.store();
  const { manifest, outcome } = await openLedger(store, from).standing();
  if (outcome?.status !== "succeeded") {
    throw new ProofroomError({
      code: "conflict",
      message: "Only a run that has succeeded can be replayed.",
      remedy: `${context.typed(`resume ${from}`)} goes on with it.`,
    });
  }
  const runId = await createRun(store, {
    tenant: manifest.tenant,
    title: manifest.title,
    plan: manifest.plan,
    options: manifest.options,
    guideline: await newestText(store, from, artifact.guideline),
    author: "person",
    // What a replay was answered lies with the run that it replayed.
    replayOf: manifest.replay_of ?? from,
    async fill({ runId: to }) {
      await takeOver(store, { from, to }, signal);
      const text = await newestText(store, from, artifact.uploads).catch(() => null);
      return text === null ? undefined : uploadsSchema.parse(JSON.parse(text));
    },
  });
  const code = await driveNewRun(context, {
    runId,
    out: out ?? join("proofroom-out", `${slugOf(manifest.title)}-replay`),
    note: `Run ${runId} replays ${from}`,
  });
  if (code !== exitCodes.done && code !== exitCodes.draft) return code;
  const texts = await Promise.all([from, runId].map((run) => newestText(store, run, artifact.article)));
  if (texts[0] === texts[1]) {
    terminal.note("article.md is the same, byte for byte.");
    return code;
  }
  terminal.note(`article.md is not the same: run ${from} was edited by hand, or written by another version.`);
  return exitCodes.failed;
}
