import { attributionOf, type RepositoryAttribution } from "./citation-file.ts";
import { pathsWithSecrets } from "./file-secrets.ts";

export interface FileFactsTask {
  /** A folder with the files that speak of the repository. */
  root: string;
  path: string;
  /** The text that is kept of the file. */
  content: string;
}

export interface FileFacts {
  hasSecrets: boolean;
  attribution: RepositoryAttribution;
}

/** What is run in a child: whether one file seems to hold secrets, and what its repository says of itself. */
export async function work(payload: unknown): Promise<FileFacts> {
  const { root, path, content } = payload as FileFactsTask;
  const found = await pathsWithSecrets([{ path, content }]);
  return { hasSecrets: found.size > 0, attribution: await attributionOf(root) };
}
