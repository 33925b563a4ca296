import { lstat, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { ProofroomError } from "@proofroom/contracts";

/** A folder may be this large, in bytes, and hold so many files. */
const mostBytes = 64 * 1024 * 1024;
const mostFiles = 5_000;

export interface FolderFiles {
  /** Relative paths with slashes, sorted. */
  files: string[];
  /** What is neither a file nor a folder, and what cannot be reached by its name. */
  skipped: number;
}

export function tooLarge(what: string): ProofroomError {
  return new ProofroomError({
    code: "too_large",
    message: what,
    remedy: "Name the parts that matter instead.",
  });
}

/**
 * The files of a folder, without those of git and of installed packages.
 * @throws ProofroomError too_large, invalid_input where the folder itself cannot be read; or the signal's reason
 */
export async function filesBelow(folder: string, signal: AbortSignal): Promise<FolderFiles> {
  const found: FolderFiles = { files: [], skipped: 0 };
  let bytes = 0;
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    signal.throwIfAborted();
    const entries = await readdir(next, { withFileTypes: true }).catch((cause: unknown) => {
      if (next === folder) throw unreadable(cause);
      return null;
    });
    if (entries === null) found.skipped += 1;
    for (const entry of entries ?? []) {
      if (entry.name === ".git" || entry.name === "node_modules") continue;
      const path = join(next, entry.name);
      if (entry.isDirectory()) {
        open.push(path);
        continue;
      }
      // A name that is not UTF-8 comes decoded, and leads nowhere.
      const facts = entry.isFile() ? await lstat(path).catch(() => null) : null;
      if (facts === null) {
        found.skipped += 1;
        continue;
      }
      bytes += facts.size;
      found.files.push(relative(folder, path).split(sep).join("/"));
      if (found.files.length > mostFiles) throw tooLarge(`The folder holds more than ${mostFiles} files.`);
      if (bytes > mostBytes) throw tooLarge(`The folder is larger than ${mostBytes / 1024 / 1024} MB.`);
    }
  }
  found.files.sort();
  return found;
}

function unreadable(cause: unknown): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message: "The folder cannot be read.",
    remedy: "Check its permissions.",
    cause,
  });
}
