import { openRunArtifacts } from "@proofroom/artifacts";
import { type Failure, ProofroomError, runOptionsSchema } from "@proofroom/contracts";
import { createRun } from "@proofroom/runtime/records";
import type { Imported } from "../import/candidate.ts";
import { fillRun } from "../import/fill-run.ts";
import { keepForeign } from "../import/foreign-artifacts.ts";
import { openImportFolder } from "../import/import-folder.ts";
import { importGuideline } from "../import/import-guideline.ts";
import { importSources } from "../import/import-sources.ts";
import { type ExitCode, exitCodes } from "../output/failure.ts";
import { userPath } from "../settings.ts";
import type { CommandContext } from "./context.ts";

const plan = "from_research";

/**
 * Makes a run of a folder that the reference system or `proofroom export` left: its guideline, its sources as
 * evidence, and what else it holds for people to read. The run is not started.
 * @throws ProofroomError not_found, invalid_input, no_evidence (and makes no run)
 */
export async function importCommand(context: CommandContext, path: string): Promise<ExitCode> {
  const { settings, terminal, signal, log } = context;
  const folder = await openImportFolder(userPath(settings, path));
  const guideline = await importGuideline(folder);
  const imported = await importSources(folder, guideline.text, signal);
  if (imported.sources.length === 0) throw noEvidence(context, imported);
  const { handleCreateResearchFile: createResearchFile } = await import("@proofroom/research");
  const store = await context.store();
  const count = { sources: 0, artifacts: 0 };
  const runId = await createRun(store, {
    title: guideline.title,
    plan,
    options: runOptionsSchema.parse({}),
    guideline: guideline.text,
    author: "import",
    async fill({ runId }) {
      const artifacts = openRunArtifacts(store, runId);
      count.sources = await fillRun(imported, { artifacts, createResearchFile, log, signal });
      count.artifacts = (await keepForeign(folder, artifacts, { signal })).length;
      return undefined;
    },
  });
  if (guideline.isWritten)
    terminal.note(`The folder has no article_guideline.md: one was written, titled "${guideline.title}".`);
  const failures = imported.failures.map(({ failure }) => failure);
  terminal.result(
    { run_id: runId, plan, sources: count.sources, failures, artifacts: count.artifacts },
    [
      ...resultLines(runId, count.sources, failures),
      `Write its article: ${context.typed(`resume ${runId}`)}`,
    ].join("\n"),
  );
  return exitCodes.done;
}

function resultLines(runId: string, sources: number, failures: readonly Failure[]): string[] {
  return [
    `${runId}: ${sources} ${sources === 1 ? "source" : "sources"}, ${failures.length} not available`,
    ...failures.map(({ code, message }) => `  ${code}: ${message}`),
  ];
}

function noEvidence({ typed }: CommandContext, { failures }: Imported): ProofroomError {
  const [first] = failures;
  return new ProofroomError({
    code: "no_evidence",
    message:
      first === undefined
        ? "The folder holds no sources: neither gathered files in .nova nor entries in research.md."
        : `None of the folder's ${failures.length} sources is evidence (${first.failure.message})`,
    remedy: `Write the article from its guideline instead: ${typed("write article_guideline.md")}`,
  });
}
