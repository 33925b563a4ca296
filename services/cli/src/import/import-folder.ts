import { constants } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { ProofroomError } from "@proofroom/contracts";

/** A file larger than this is not read, in bytes. */
const fileLimit = 32 * 1024 * 1024;

/** A folder on this machine that is only ever read below its real path, wherever links in it lead. */
export interface ImportFolder {
  /** The folder's own name. */
  readonly name: string;
  /** What lies directly below a path, sorted; nothing where there is no such folder. @throws ProofroomError as `read` */
  names(under: string): Promise<string[]>;
  /**
   * The bytes of a file, or null where there is none.
   * @throws ProofroomError invalid_input (it leads out of the folder, or is no file), too_large
   */
  read(path: string): Promise<Uint8Array | null>;
  /** The real path of what `path` names, or null where there is nothing. @throws ProofroomError as `read` */
  locate(path: string): Promise<string | null>;
}

/** @throws ProofroomError not_found, or invalid_input where it is no folder */
export async function openImportFolder(path: string): Promise<ImportFolder> {
  const facts = await stat(path).catch(() => null);
  if (facts === null || !facts.isDirectory()) {
    throw new ProofroomError({
      code: facts === null ? "not_found" : "invalid_input",
      message: facts === null ? `There is no folder at ${path}.` : `${path} is not a folder.`,
      remedy: "Name the folder that holds article_guideline.md and .nova.",
    });
  }
  const root = await realpath(path);

  async function locate(relative: string): Promise<string | null> {
    let real: string;
    try {
      real = await realpath(join(root, ...relative.split("/")));
    } catch {
      return null;
    }
    if (real.startsWith(root.endsWith(sep) ? root : root + sep)) return real;
    throw new ProofroomError({
      code: "invalid_input",
      message: `${shown(relative)} is a link that leads out of the folder, so it was not read.`,
      remedy: "Put the file itself into the folder.",
    });
  }

  return {
    name: basename(root),
    locate,
    async names(under) {
      const real = await locate(under);
      const isFolder = real !== null && (await stat(real)).isDirectory();
      return isFolder ? (await readdir(real)).sort() : [];
    },
    async read(relative) {
      const real = await locate(relative);
      return real === null ? null : readFileAt(real, relative);
    },
  };
}

/** A name from a foreign folder as it may stand on a line of text. */
export function shown(path: string): string {
  return path.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "_");
}

async function readFileAt(real: string, relative: string): Promise<Uint8Array> {
  // A pipe would block for ever without the flag.
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    throw unreadable(relative, cause);
  });
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw unreadable(relative);
    if (facts.size > fileLimit) {
      throw new ProofroomError({
        code: "too_large",
        message: `${shown(relative)} is larger than ${fileLimit / 1024 / 1024} MB, so it was not read.`,
        remedy: "Keep the part that matters.",
      });
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

export function unreadable(relative: string, cause?: unknown): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message: `${shown(relative)} is not a file that can be read.`,
    ...(cause === undefined ? {} : { cause }),
  });
}
