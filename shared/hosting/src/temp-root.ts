import { mkdir, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Makes this process's folder for temporary files below the home, and removes those of processes that were
 * killed before they could. A home may be shared by containers, whose processes do not see each other: each looks at its own host's.
 */
export async function openTempRoot(home: string): Promise<{ path: string; close(): Promise<void> }> {
  const folder = join(home, "tmp");
  const mark = `${hostname()}-`;
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(mark) ? Number(name.slice(mark.length)) : 0;
    if (Number.isInteger(pid) && pid > 0 && !alive(pid))
      await rm(join(folder, name), { recursive: true, force: true });
  }
  const path = join(folder, `${mark}${process.pid}`);
  await mkdir(path, { recursive: true });
  return { path, close: () => rm(path, { recursive: true, force: true }) };
}
