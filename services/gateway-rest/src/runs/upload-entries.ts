import type { Uploads } from "@proofroom/contracts";

type Entry = Uploads["entries"][number];

/** `a/b/c.md`: `a/` and `a/b/`. */
function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1));
}

function sorted(paths: Iterable<string>): string[] {
  return [...paths].toSorted(compare);
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * The entries of a run's uploads once these files are among them. A guideline may name a file or any folder above it, and
 * what it does not name is passed over: so each of them has an entry, and the guideline need not be read here. A cloned
 * repository stays what its commit says.
 */
export function withUploads(entries: readonly Entry[], files: readonly string[]): Entry[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const known = new Set(entries.flatMap((entry) => entry.files));

  function add(path: string, kind: Entry["kind"], file: string): void {
    const { error: _error, ...entry } = byPath.get(path) ?? { path, kind, files: [] };
    if (entry.kind === "repository") return;
    byPath.set(path, { ...entry, files: sorted(new Set([...entry.files, file])) });
  }

  for (const file of files) {
    if (known.has(file)) continue;
    add(file, "file", file);
    for (const folder of foldersOf(file)) add(folder, "folder", file);
  }
  return [...byPath.values()].toSorted((a, b) => compare(a.path, b.path));
}
