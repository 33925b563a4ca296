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

/** When this process began: in a container that is started anew the next one has the same number. */
const began = Math.round(performance.timeOrigin);

/** Whether a process of this host, by what stands in the folder's name behind the host, is gone. */
function isLeft(mark: string): boolean {
  const [, id = "", start = ""] = /^(\d+)-(\d+)$/.exec(mark) ?? [];
  const pid = Number(id);
  if (pid === 0) return false;
  return pid === process.pid ? Number(start) !== began : !alive(pid);
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
    if (name.startsWith(mark) && isLeft(name.slice(mark.length)))
      await rm(join(folder, name), { recursive: true, force: true });
  }
  const path = join(folder, `${mark}${process.pid}-${began}`);
  await mkdir(path, { recursive: true });
  return { path, close: () => rm(path, { recursive: true, force: true }) };
}
