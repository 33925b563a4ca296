import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import { ProofroomError } from "@proofroom/contracts";
import { filesBelow } from "../../create/folder-files.ts";
import { type Settings, userPath } from "../../settings.ts";

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * The real path of a folder that may stand for a run. Files are written into it, so what holds far more than one
 * article's material is refused: the root, the home and whatever they are in, and the store of runs itself.
 * @throws ProofroomError not_found, invalid_input
 */
export async function locateDirectory(settings: Settings, path: string): Promise<string> {
  const absolute = userPath(settings, path);
  const real = absolute.includes("\0") ? null : await realpath(absolute).catch(() => null);
  if (real === null) {
    throw new ProofroomError({
      code: "not_found",
      message: "There is no such research_directory.",
      remedy: "Name a folder that holds article_guideline.md; relative paths start where you were started.",
    });
  }
  const home = await realpath(homedir()).catch(() => homedir());
  const { store } = settings;
  const kept = join(store.kind === "file" ? store.folder : settings.home, "runs");
  const runs = await realpath(kept).catch(() => kept);
  const isRefused = !(await stat(real)).isDirectory() || isWithin(home, real) || isWithin(real, runs);
  if (isRefused) {
    throw new ProofroomError({
      code: "invalid_input",
      message: "That is not a folder for one article.",
      remedy: "Make a folder of its own for the article, with article_guideline.md in it.",
    });
  }
  return real;
}

/**
 * Refuses a folder that holds more than the material of an article, before anything is written into it.
 * @throws ProofroomError too_large
 */
export async function assertSmall(real: string, signal: AbortSignal): Promise<void> {
  await filesBelow(real, signal);
}
