import { extname } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".md": "text/markdown",
  ".html": "text/html",
  ".json": "application/json",
  ".txt": "text/plain",
  ".pdf": "application/pdf",
};

/** The media types that names of artifacts can tell. */
export const mediaTypes: readonly string[] = Object.values(types);

/** What an artifact is by its name, without parameters; null where the name does not tell. */
export function mediaTypeOfName(name: string): string | null {
  return types[extname(name).toLowerCase()] ?? null;
}
