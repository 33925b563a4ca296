import { loadGuideline } from "../create/load-guideline.ts";
import type { ImportFolder } from "./import-folder.ts";

export interface ImportedGuideline {
  text: string;
  title: string;
  /** True where the folder had none and one was written. */
  isWritten: boolean;
}

/**
 * The folder's guideline, or a minimal one named after the folder.
 * @throws ProofroomError invalid_input, too_large where there is one that is none
 */
export async function importGuideline(folder: ImportFolder): Promise<ImportedGuideline> {
  const name = titleOfFolder(folder.name);
  const path = await folder.locate("article_guideline.md");
  if (path === null)
    return { text: `# ${name.replace(/[\\`*_[\]<>#]/g, "\\$&")}\n`, title: name, isWritten: true };
  const { text, title } = await loadGuideline(path);
  return { text, title: title === "Untitled" ? name : title, isWritten: false };
}

function titleOfFolder(name: string): string {
  const words = name
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(/[-_\s]+/g, " ")
    .trim();
  return words === "" ? "Imported run" : words.charAt(0).toUpperCase() + words.slice(1);
}
