import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Files by which a repository takes what it is from another place. */
const borrowing: ReadonlySet<string> = new Set(["commondir", "alternates", "http-alternates"]);

/**
 * Whether a folder holds a git repository that lies in it whole. Git follows a `.git` file, a link, a shared folder or
 * borrowed objects wherever they lead: to a repository that nobody named as a source. The folder of a worktree or a
 * submodule is none of its own in this sense; its files are still there to be read.
 */
export async function hasOwnRepository(folder: string): Promise<boolean> {
  const git = join(folder, ".git");
  if ((await lstat(git).catch(() => null))?.isDirectory() !== true) return false;
  const open = [git];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true })) {
      if (entry.isDirectory()) open.push(join(next, entry.name));
      else if (!entry.isFile() || borrowing.has(entry.name)) return false;
    }
  }
  return true;
}
