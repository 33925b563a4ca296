import { type RunArtifacts, sha256Of } from "@proofroom/artifacts";
import { artifact, isBookkeeping, isProofroomError, outlineSchema } from "@proofroom/contracts";
import type { ImportFolder } from "../../import/import-folder.ts";
import { type Note, notePath } from "./note.ts";
import { createFile, replaceFile } from "./write-within.ts";

/** A folder and its run, with what is known of both. */
export interface Exchange {
  /** The folder's real path. */
  root: string;
  folder: ImportFolder;
  artifacts: RunArtifacts;
  /** Changed as files are exchanged; whoever calls keeps it. */
  note: Note;
}

export interface Exchanged {
  names: string[];
  kept: string[];
  problems: string[];
}

const sections = ".nova/sections/";

/** The artifacts that a folder and its run have in common: results, and what people read of how they came about. */
function isExchanged(name: string): boolean {
  if (name === artifact.uploads || name === notePath || isBookkeeping(name)) return false;
  if (name.startsWith(".nova/uploads/")) return false;
  return (
    name.startsWith(".nova/") ||
    name === artifact.guideline ||
    name === artifact.research ||
    name === artifact.article ||
    name === artifact.page
  );
}

function isOutline(bytes: Uint8Array): boolean {
  try {
    return outlineSchema.safeParse(JSON.parse(Buffer.from(bytes).toString("utf8"))).success;
  } catch {
    return false;
  }
}

/** What people write into a folder although no run has written it there before. */
async function writtenByPeople({ folder, note }: Exchange): Promise<string[]> {
  const names: string[] = [artifact.article, artifact.outline];
  // Where links lead out of the folder, writing there tells so.
  for (const name of await folder.names(sections).catch(() => []))
    if (name.endsWith(".md")) names.push(sections + name);
  return names.filter((name) => note.files[name] === undefined);
}

/** A line about what one file failed with; anything but our own errors is thrown on. */
function problemOf(name: string, error: unknown): string {
  if (isProofroomError(error)) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== "string") throw error;
  return `${name} could not be exchanged with the folder (${code}).`;
}

/**
 * Makes versions by a person of the files that were changed in the folder. One that is what some version has been is
 * no change: it has only not been written over yet.
 * @param guideline the folder's, decoded
 */
export async function takeOver(exchange: Exchange, guideline: string): Promise<Exchanged> {
  const { folder, artifacts, note } = exchange;
  const done: Exchanged = { names: [], kept: [], problems: [] };

  async function take(name: string): Promise<void> {
    const bytes = await folder.read(name);
    if (bytes === null) return;
    const sha256 = sha256Of(bytes);
    const known = note.files[name];
    if (known?.sha256 === sha256) return;
    if (known === undefined && name === artifact.outline && !isOutline(bytes)) return;
    const content = name === artifact.guideline ? Buffer.from(guideline, "utf8") : bytes;
    const same = sha256Of(content);
    const shown = await artifacts.latest(name, (version) => version.sha256 === same);
    const version = shown?.n ?? (await artifacts.write(name, content, { author: "person" })).version;
    if (shown === null) done.names.push(name);
    note.files[name] = { sha256, version };
  }

  // The note came with the folder, and may name anything: what a run keeps about itself is never a person's.
  const others = Object.keys(note.files).filter((name) => name !== artifact.guideline && isExchanged(name));
  for (const name of [artifact.guideline, ...others, ...(await writtenByPeople(exchange))])
    await take(name).catch((error: unknown) => void done.problems.push(problemOf(name, error)));
  return done;
}

/** Writes newer versions of the run's artifacts into the folder, but over nothing that was changed there. */
export async function bringBack(exchange: Exchange): Promise<Exchanged> {
  const { root, folder, artifacts, note } = exchange;
  const done: Exchanged = { names: [], kept: [], problems: [] };

  async function bring(name: string, n: number): Promise<void> {
    const version = await artifacts.version(name, n);
    const current = await folder.read(name);
    const sha256 = current === null ? null : sha256Of(current);
    if (sha256 !== version.sha256) {
      const isOurs =
        sha256 === null ||
        sha256 === note.files[name]?.sha256 ||
        (await artifacts.latest(name, (one) => one.sha256 === sha256)) !== null;
      const bytes = isOurs ? await artifacts.read(name, version) : null;
      if (bytes === null || (current === null && !(await createFile(root, name, bytes)))) {
        done.kept.push(name);
        return;
      }
      if (current !== null) await replaceFile(root, name, bytes);
      done.names.push(name);
    }
    note.files[name] = { sha256: version.sha256, version: n };
  }

  for (const [name, n] of await artifacts.heads()) {
    if (!isExchanged(name) || note.files[name]?.version === n) continue;
    await bring(name, n).catch((error: unknown) => void done.problems.push(problemOf(name, error)));
  }
  return done;
}
