import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Bytes and entries below a folder, links not followed. Stops counting beyond `enough` entries, and leaves out what
 * cannot be read or is being removed.
 */
export async function folderUse(folder: string, enough: number): Promise<{ bytes: number; entries: number }> {
  const use = { bytes: 0, entries: 0 };
  const pending = [folder];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    use.entries += entries.length;
    if (use.entries > enough) return use;
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else if (entry.isFile()) use.bytes += (await stat(path).catch(() => null))?.size ?? 0;
    }
  }
  return use;
}
