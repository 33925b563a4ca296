import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { invalid } from "./repository-url.ts";

/** Git's own files, and settings that the digest would obey or even execute. */
const active = /^(?:\.git|repomix\.config\..*|\.repomixignore)$/i;

/**
 * Writes uploaded files below a folder, without those that are settings of git or of the digest.
 * @param files paths relative to the folder
 * @throws ProofroomError invalid_input where a path leads out of the folder
 */
export async function writeTree(
  folder: string,
  files: Iterable<{ path: string; bytes: Uint8Array }> | AsyncIterable<{ path: string; bytes: Uint8Array }>,
): Promise<void> {
  for await (const { path, bytes } of files) {
    const segments = path.split("/");
    if (segments.some((segment) => /^(?:\.{0,2})$|[\\\0]/.test(segment)))
      throw invalid("A path is not valid.");
    if (segments.some((segment) => active.test(segment))) continue;
    const target = join(folder, ...segments);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
}

/** Removes from a folder, at any depth, what is a setting of git or of the digest, and every link. */
export async function stripTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (active.test(entry.name) || entry.isSymbolicLink()) await rm(path, { recursive: true, force: true });
    else if (entry.isDirectory()) await stripTree(path);
  }
}
