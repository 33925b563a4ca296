import { type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import { artifact, isProofroomError, ProofroomError, runOptionsSchema } from "@proofroom/contracts";
import { createRun, openLedger } from "@proofroom/runtime/records";
import type { Logger } from "@proofroom/telemetry";
import { copyUploads } from "../../create/copy-uploads.ts";
import { type LoadedGuideline, loadGuideline } from "../../create/load-guideline.ts";
import { fillRun } from "../../import/fill-run.ts";
import { keepForeign } from "../../import/foreign-artifacts.ts";
import type { ImportFolder } from "../../import/import-folder.ts";
import { importSources } from "../../import/import-sources.ts";
import { refreshSources, statesOf } from "./local-sources.ts";
import { assertSmall } from "./locate-directory.ts";
import { type Note, notePath, readNote, writeFirstNote } from "./note.ts";
import { assertWritable } from "./write-within.ts";

export interface BindOptions {
  store: ObjectStore;
  tenant: string;
  log: Logger;
  signal: AbortSignal;
}

/** @throws ProofroomError not_found, invalid_input, too_large */
async function guidelineOf(folder: ImportFolder): Promise<LoadedGuideline> {
  const path = await folder.locate(artifact.guideline);
  if (path !== null) {
    const loaded = await loadGuideline(path);
    return { ...loaded, title: loaded.title === "Untitled" ? folder.name : loaded.title };
  }
  throw new ProofroomError({
    code: "not_found",
    message: "There is no article_guideline.md in the research_directory.",
    remedy: "Write one: a title, an outline if there is one, and the sources as links.",
  });
}

/**
 * Makes the run of a folder: its guideline and local sources, and, where the reference system or a run before has left
 * any, its evidence and its other results.
 */
async function createBound(
  { store, tenant, log, signal }: BindOptions,
  folder: ImportFolder,
  guideline: LoadedGuideline,
): Promise<Note> {
  const imported = await importSources(folder, guideline.text, signal);
  const hasEvidence = imported.sources.length > 0;
  const files: Note["files"] = {};
  const sources = await statesOf(guideline.uploads, signal);
  const run_id = await createRun(store, {
    tenant,
    title: guideline.title,
    plan: hasEvidence && (await folder.locate(artifact.research)) !== null ? "from_research" : "write",
    options: runOptionsSchema.parse({}),
    guideline: guideline.text,
    author: "person",
    async fill({ runId, base }) {
      const artifacts = openRunArtifacts(store, runId);
      if (hasEvidence) {
        const { handleCreateResearchFile: createResearchFile } = await import("@proofroom/research");
        await fillRun(imported, { artifacts, createResearchFile, log, signal });
      }
      // An article that lies there is a person's, and taken over as such.
      const kept = await keepForeign(folder, artifacts, { signal, without: artifact.article });
      for (const { path, sha256 } of kept) files[path] = { sha256, version: 0 };
      return guideline.uploads.length === 0
        ? undefined
        : copyUploads({ store, base, signal }, guideline.uploads);
    },
  });
  // One that can be worked on is taken over too.
  delete files[artifact.outline];
  return { v: 1, run_id, files, sources };
}

async function exists(store: ObjectStore, runId: string): Promise<boolean> {
  try {
    await openLedger(store, runId).manifest();
    return true;
  } catch (error) {
    if (isProofroomError(error) && error.code === "not_found") return false;
    throw error;
  }
}

/**
 * The run that a folder stands for, with the guideline and the local sources as they are in the folder now; made where
 * the folder has none that is still there.
 * @throws ProofroomError not_found, invalid_input, too_large
 */
export async function bindDirectory(
  options: BindOptions,
  root: string,
  folder: ImportFolder,
): Promise<{ note: Note; guideline: string }> {
  const { store, signal } = options;
  const guideline = await guidelineOf(folder);
  let note = await readNote(folder);
  const isStale = note !== null && !(await exists(store, note.run_id));
  if (note === null || isStale) {
    await assertSmall(root, signal);
    // Without its note each call would make it another run.
    await assertWritable(root, notePath);
    const made = await createBound(options, folder, guideline);
    if (isStale || (await writeFirstNote(root, made))) return { note: made, guideline: guideline.text };
    note = (await readNote(folder)) ?? made;
  }
  const to = { store, runId: note.run_id, signal };
  note.sources = await refreshSources(to, guideline.uploads, note.sources);
  return { note, guideline: guideline.text };
}
