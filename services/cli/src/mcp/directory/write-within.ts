import { randomUUID } from "node:crypto";
import { link, lstat, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ProofroomError } from "@proofroom/contracts";
import { shown } from "../../import/import-folder.ts";

/**
 * Makes a folder below a root, and answers its path. No link is followed: what is written below the root stays there.
 * @throws ProofroomError invalid_input where a link or a file is in the way
 */
async function folderWithin(root: string, segments: readonly string[]): Promise<string> {
  let path = root;
  for (const segment of segments) {
    path = join(path, segment);
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    if ((await lstat(path)).isDirectory()) continue;
    throw new ProofroomError({
      code: "invalid_input",
      message: `${shown(segments.join("/"))} is a link or a file, so nothing was written there.`,
      remedy: "Put a folder in its place.",
    });
  }
  return path;
}

/** What a folder that takes nothing is told as; anything else is thrown on as it is. */
function notWritten(error: unknown): never {
  const { code = "" } = error as NodeJS.ErrnoException;
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  if (!isFull && !["EROFS", "EACCES", "EPERM"].includes(code)) throw error;
  throw new ProofroomError({
    code: isFull ? "dependency_down" : "invalid_input",
    message: `Nothing can be written into the research_directory (${code}).`,
    remedy: isFull ? "Free some space." : "Let it be written, or copy it to a folder of your own.",
    disposition: { kind: "fail" },
    cause: error,
  });
}

async function stage(root: string, name: string, body: Uint8Array | string) {
  const segments = name.split("/");
  const folder = await folderWithin(root, segments.slice(0, -1)).catch(notWritten);
  const staged = join(folder, `.proofroom.${randomUUID()}.part`);
  try {
    await writeFile(staged, body, { flag: "wx" });
  } catch (error) {
    await rm(staged, { force: true }).catch(() => undefined);
    notWritten(error);
  }
  return { staged, target: join(folder, segments.at(-1) ?? "") };
}

/** Puts a file in the place of whatever stands there, at once and whole. @throws ProofroomError as `assertWritable` */
export async function replaceFile(root: string, name: string, body: Uint8Array | string): Promise<void> {
  const { staged, target } = await stage(root, name, body);
  try {
    await rename(staged, target);
  } finally {
    await rm(staged, { force: true });
  }
}

/** Puts a file where none stands; false where one does. @throws ProofroomError as `assertWritable` */
export async function createFile(root: string, name: string, body: Uint8Array | string): Promise<boolean> {
  const { staged, target } = await stage(root, name, body);
  try {
    await link(staged, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(staged, { force: true });
  }
}

/** @throws ProofroomError where a file cannot be put there, and as `folderWithin` */
export async function assertWritable(root: string, name: string): Promise<void> {
  const { staged } = await stage(root, name, " ");
  await rm(staged, { force: true });
}
