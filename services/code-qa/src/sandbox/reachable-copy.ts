import { chmod, constants, copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** A file under a path that every user can reach. */
export interface ReachableFile {
  path: string;
  close(): Promise<void>;
}

/**
 * The file itself if any user may read it where it is, else a copy in a temporary folder. A sandbox started by root
 * runs as nobody, who cannot enter, say, /root.
 */
export async function reachableFile(path: string): Promise<ReachableFile> {
  if (await everyoneCanRead(path)) return { path, close: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), "proofroom-sandbox-"));
  const copy = join(folder, basename(path));
  try {
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    await chmod(folder, 0o755);
    await chmod(copy, 0o755);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return { path: copy, close: () => rm(folder, { recursive: true, force: true }) };
}

async function everyoneCanRead(path: string): Promise<boolean> {
  if (((await stat(path)).mode & 0o005) !== 0o005) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
