import type { Imported } from "./candidate.ts";
import type { ImportFolder } from "./import-folder.ts";
import { importOwn } from "./own-export.ts";
import { importReference } from "./reference-sources.ts";

/** The evidence that a folder holds, whether `proofroom export` or the reference system left it. */
export async function importSources(
  folder: ImportFolder,
  guideline: string,
  signal: AbortSignal,
): Promise<Imported> {
  return (await importOwn(folder, signal)) ?? importReference(folder, guideline, signal);
}
