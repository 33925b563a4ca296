import {
  type Failure,
  gatheredArtifact,
  gatheredSchema,
  type Source,
  type SourceIndex,
  type SourceKind,
  sourceIndexSchema,
  sourceSchema,
} from "@proofroom/contracts";
import { makeSource } from "@proofroom/evidence";
import type { z } from "zod";
import { type Gatherer, gatherers, type Imported } from "./candidate.ts";
import type { ImportFolder } from "./import-folder.ts";

const gathererOfKind: Readonly<Record<SourceKind, Gatherer>> = {
  document: "process_local_files",
  folder: "process_local_files",
  repository: "process_github_urls",
  web_page: "scrape_and_clean_other_urls",
  video: "transcribe_youtube_urls",
  search_result: "run_web_research",
};

/** Takes over the sources of a folder that `proofroom export` wrote; null where the folder is not one. */
export async function importOwn(folder: ImportFolder, signal: AbortSignal): Promise<Imported | null> {
  const index = await readJson(folder, ".nova/sources.json", sourceIndexSchema);
  if (index === null) return null;
  const gathererOf = await filed(folder);
  const imported: Imported = { sources: [], failures: [] };
  const refs = new Set<string>();
  for (const entry of index.sources) {
    signal.throwIfAborted();
    const gatherer = gathererOf.get(entry.ref) ?? gathererOfKind[entry.kind];
    const source = await readSource(folder, entry);
    if (source === null || refs.has(entry.ref)) {
      imported.failures.push({ gatherer, failure: notTaken(entry) });
      continue;
    }
    refs.add(entry.ref);
    imported.sources.push({ gatherer, artifact: entry.artifact, source });
  }
  for (const failure of index.failures)
    imported.failures.push({
      gatherer: gathererOf.get(failure.ref) ?? gathererOfKind[failure.kind],
      failure,
    });
  return imported;
}

/** Which capability gathered what, as far as the folder says. */
async function filed(folder: ImportFolder): Promise<Map<string, Gatherer>> {
  const found = new Map<string, Gatherer>();
  for (const gatherer of gatherers) {
    const gathered = await readJson(folder, gatheredArtifact(gatherer), gatheredSchema);
    for (const { ref } of [...(gathered?.sources ?? []), ...(gathered?.failures ?? [])])
      if (!found.has(ref)) found.set(ref, gatherer);
  }
  return found;
}

/** A stored source that is what the index says: the same reference, and a text that has the hash. */
async function readSource(
  folder: ImportFolder,
  entry: SourceIndex["sources"][number],
): Promise<Source | null> {
  if (!/^\.nova\/sources\/[^/]+\.json$/.test(entry.artifact)) return null;
  const source = await readJson(folder, entry.artifact, sourceSchema);
  if (source === null || source.ref !== entry.ref || source.sha256 !== entry.sha256) return null;
  try {
    return makeSource(source).sha256 === source.sha256 ? source : null;
  } catch {
    return null;
  }
}

function notTaken({ ref, kind, artifact }: SourceIndex["sources"][number]): Failure {
  return {
    ref,
    kind,
    code: "invalid_input",
    message: `The stored text of ${ref} is missing or is not what was gathered (${artifact}).`,
    remedy: "Export the run again, or gather the source again.",
  };
}

async function readJson<Schema extends z.ZodType>(
  folder: ImportFolder,
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  try {
    const bytes = await folder.read(path);
    return bytes === null ? null : schema.parse(JSON.parse(Buffer.from(bytes).toString("utf8")));
  } catch {
    return null;
  }
}
