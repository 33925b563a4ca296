import { createReadStream } from "node:fs";
import { lstat, mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import type { ObjectStore } from "@proofroom/artifacts";
import {
  assertArtifactName,
  isProofroomError,
  ProofroomError,
  toProofroomError,
  toPublicError,
  type Uploads,
} from "@proofroom/contracts";
import { cloneLocal } from "./clone-local.ts";

type Entry = Uploads["entries"][number];

export interface LocalSource {
  /** As the guideline names it; folders end with a slash. */
  path: string;
  /** Where it lies on this machine. */
  disk: string;
  /** The real path must be this folder or below it; null where the user named the path themselves. */
  within: string | null;
}

export interface CopyOptions {
  store: ObjectStore;
  /** Key prefix of the run. */
  base: string;
  signal: AbortSignal;
}

/** A single file, and a folder, may be this large, in bytes; and a folder may hold so many files. */
const fileLimit = 32 * 1024 * 1024;
const folderLimit = 64 * 1024 * 1024;
const folderFiles = 5_000;

function tooLarge(what: string): ProofroomError {
  return new ProofroomError({
    code: "too_large",
    message: what,
    remedy: "Name the parts that matter instead.",
  });
}

async function confined(source: LocalSource): Promise<string> {
  let real: string;
  try {
    real = await realpath(source.disk);
  } catch (cause) {
    throw new ProofroomError({
      code: "not_found",
      message: "There is no such file or folder.",
      remedy: "Paths are relative to the guideline's folder.",
      cause,
    });
  }
  const within = source.within === null ? null : await realpath(source.within);
  if (within !== null && real !== within && !real.startsWith(within + sep)) {
    throw new ProofroomError({
      code: "invalid_input",
      message: "The path leads out of the guideline's folder.",
    });
  }
  return real;
}

async function copyFile(options: CopyOptions, disk: string, name: string): Promise<void> {
  const key = `${options.base}.nova/uploads/${assertArtifactName(name)}`;
  const body = Readable.toWeb(createReadStream(disk)) as ReadableStream<Uint8Array>;
  await options.store.create(key, body, { signal: options.signal });
}

interface Found {
  files: string[];
  skipped: number;
}

async function filesBelow(folder: string, signal: AbortSignal): Promise<Found> {
  const found: Found = { files: [], skipped: 0 };
  let bytes = 0;
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    signal.throwIfAborted();
    for (const entry of await readdir(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== ".git" && entry.name !== "node_modules") open.push(path);
      } else if (entry.isFile()) {
        bytes += (await lstat(path)).size;
        found.files.push(relative(folder, path).split(sep).join("/"));
      } else found.skipped += 1;
    }
    if (found.files.length > folderFiles) throw tooLarge(`The folder holds more than ${folderFiles} files.`);
    if (bytes > folderLimit) throw tooLarge(`The folder is larger than ${folderLimit / 1024 / 1024} MB.`);
  }
  found.files.sort();
  return found;
}

async function copyFolder(
  options: CopyOptions,
  folder: string,
  path: string,
): Promise<Pick<Entry, "files" | "skipped">> {
  const found = await filesBelow(folder, options.signal);
  const files: string[] = [];
  for (const file of found.files) {
    try {
      await copyFile(options, join(folder, file), path + file);
      files.push(path + file);
    } catch (error) {
      if (!isProofroomError(error) || error.code !== "invalid_input") throw error;
      found.skipped += 1;
    }
  }
  return found.skipped === 0 ? { files } : { files, skipped: found.skipped };
}

async function copyRepository(
  options: CopyOptions,
  folder: string,
  path: string,
): Promise<Omit<Entry, "path">> {
  const temp = await mkdtemp(join(tmpdir(), "proofroom-clone-"));
  try {
    const clone = join(temp, "tree");
    const commit = await cloneLocal(folder, clone, options.signal);
    return { kind: "repository", commit, ...(await copyFolder(options, clone, path)) };
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}

async function copySource(options: CopyOptions, source: LocalSource): Promise<Omit<Entry, "path">> {
  const disk = await confined(source);
  const facts = await stat(disk);
  if (facts.isDirectory()) {
    const path = source.path.endsWith("/") ? source.path : `${source.path}/`;
    const git = await lstat(join(disk, ".git")).catch(() => null);
    if (git !== null) return copyRepository(options, disk, path);
    return { kind: "folder", ...(await copyFolder(options, disk, path)) };
  }
  if (!facts.isFile())
    throw new ProofroomError({ code: "invalid_input", message: "It is neither a file nor a folder." });
  if (facts.size > fileLimit) throw tooLarge(`The file is larger than ${fileLimit / 1024 / 1024} MB.`);
  await copyFile(options, disk, source.path);
  return { kind: "file", files: [source.path] };
}

/**
 * Copies local sources into a run, so that any worker on any machine can read them. What cannot be copied is
 * noted with the reason: one bad source does not stop the others.
 * @throws ProofroomError dependency_down where the store cannot take them, cancelled
 */
export async function copyUploads(options: CopyOptions, sources: readonly LocalSource[]): Promise<Uploads> {
  const entries: Entry[] = [];
  for (const source of sources) {
    try {
      entries.push({ path: source.path, ...(await copySource(options, source)) });
    } catch (thrown) {
      const error = toProofroomError(thrown);
      if (error.code === "dependency_down" || options.signal.aborted) throw error;
      const kind = source.path.endsWith("/") ? "folder" : "file";
      entries.push({ path: source.path, kind, files: [], error: toPublicError(error) });
    }
  }
  return { v: 1, entries };
}
