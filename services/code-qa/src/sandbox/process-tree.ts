import { readdir, readFile, statfs } from "node:fs/promises";

/** Bytes of a memory page; both supported architectures report it so in /proc. */
const PAGE = 4096;

/** The process and all its descendants, as far as they still exist. */
export async function processTree(root: number): Promise<number[]> {
  const found = [root];
  for (let at = 0; at < found.length; at += 1) {
    const pid = found[at] as number;
    for (const thread of await threadsOf(pid)) {
      const children = await readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => "");
      for (const child of children.split(" ")) if (child !== "") found.push(Number(child));
    }
  }
  return found;
}

/** Resident memory of the given processes together, in bytes. Shared pages count once per process. */
export async function residentBytes(pids: readonly number[]): Promise<number> {
  let pages = 0;
  for (const pid of pids) {
    const statm = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "");
    pages += Number(statm.split(" ")[1] ?? 0);
  }
  return pages * PAGE;
}

/** f_type of a tmpfs (linux/magic.h). */
const TMPFS = 0x0102_1994;

/**
 * Files and folders on the tmpfs that `path` is on as the process sees it. 0 where that is not a tmpfs of `bytes`
 * bytes: the process may not have entered its sandbox yet and still see the host's folder.
 */
export async function entriesInUse(pid: number, path: string, bytes: number): Promise<number> {
  const system = await statfs(`/proc/${pid}/root${path}`).catch(() => null);
  if (system === null || system.type !== TMPFS || system.blocks * system.bsize !== bytes) return 0;
  return system.files - system.ffree;
}

async function threadsOf(pid: number): Promise<string[]> {
  return await readdir(`/proc/${pid}/task`).catch(() => []);
}
