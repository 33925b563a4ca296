import { constants } from "node:fs";
import { type FileHandle, mkdtemp, open, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
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
import { filesBelow, tooLarge } from "./folder-files.ts";
import { hasOwnRepository } from "./own-repository.ts";

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
  /** Where the files go. */
  store: Pick<ObjectStore, "create">;
  /** Key prefix of the run. */
  base: string;
  signal: AbortSignal;
}

/** A single file may be this large, in bytes. */
const fileLimit = 32 * 1024 * 1024;

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

/** What is opened is what is copied: a link or a pipe that takes the file's place meanwhile is refused. */
async function opened(disk: string): Promise<FileHandle> {
  try {
    const file = await open(disk, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (cause) {
    throw unreadable(cause);
  }
  throw unreadable();
}

function unreadable(cause?: unknown): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message: "The file cannot be read.",
    remedy: "Check that it is still there, and its permissions.",
    ...(cause === undefined ? {} : { cause }),
  });
}

async function copyFile(options: CopyOptions, disk: string, name: string): Promise<void> {
  const key = `${options.base}.nova/uploads/${assertArtifactName(name)}`;
  const file = await opened(disk);
  try {
    // It may be growing.
    const stream = file.createReadStream({ end: fileLimit - 1, autoClose: false });
    await options.store.create(key, Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
      signal: options.signal,
    });
  } finally {
    await file.close();
  }
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
    if (await hasOwnRepository(disk)) return copyRepository(options, disk, path);
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
