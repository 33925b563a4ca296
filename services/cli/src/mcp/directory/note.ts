import { runIdSchema, sha256Schema } from "@proofroom/contracts";
import { z } from "zod";
import type { ImportFolder } from "../../import/import-folder.ts";
import { createFile, replaceFile } from "./write-within.ts";

/** Where a folder says which run it stands for. */
export const notePath = ".nova/proofroom.json";

const noteSchema = z.object({
  v: z.literal(1),
  run_id: runIdSchema,
  /** The files of the folder as they were last seen: their bytes, and the version of the run's artifact that they are; 0 is none. */
  files: z.record(z.string(), z.object({ sha256: sha256Schema, version: z.int().nonnegative() })),
  /** The guideline's local sources as they were last copied: something that changes when they do. */
  sources: z.record(z.string(), z.string()),
});
export type Note = z.output<typeof noteSchema>;

/** The note of a folder, or null where there is none that can be read. @throws ProofroomError where it leads out of the folder */
export async function readNote(folder: ImportFolder): Promise<Note | null> {
  const bytes = await folder.read(notePath);
  if (bytes === null) return null;
  try {
    return noteSchema.parse(JSON.parse(Buffer.from(bytes).toString("utf8")));
  } catch {
    return null;
  }
}

function textOf(note: Note): string {
  return `${JSON.stringify(note, null, 2)}\n`;
}

export async function writeNote(root: string, note: Note): Promise<void> {
  await replaceFile(root, notePath, textOf(note));
}

/** Writes the first note of a folder; false where another process was first. */
export function writeFirstNote(root: string, note: Note): Promise<boolean> {
  return createFile(root, notePath, textOf(note));
}
