import type { RepositoryAddress } from "./repository-url.ts";
import type { Revision } from "./revision.ts";

type Named = Pick<RepositoryAddress, "name" | "isGist">;
type Wanted = Pick<Revision, "name" | "path">;

/**
 * What a source of a repository is called: `owner/repository/path at revision`. A gist has no name, and is called by
 * its files, as its site does.
 * @param files of a gist
 */
export function titleOf({ name, isGist }: Named, revision: Wanted, files: readonly string[]): string {
  const at = revision.name === null ? "" : ` at ${revision.name.replace(/^[0-9a-f]{40}$/, shortened)}`;
  if (!isGist) return `${name}${revision.path === "" ? "" : `/${revision.path}`}${at}`;
  const [first, ...others] = revision.path === "" ? files : [revision.path];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `${first ?? name}${more} (gist ${shortened(name)})${at}`;
}

/** The path that is wanted: where a gist has one file, that file. */
export function wantedPath({ isGist }: Named, { path }: Wanted, files: readonly string[]): string {
  const [only = "", ...others] = files;
  return isGist && path === "" && others.length === 0 ? only : path;
}

function shortened(hash: string): string {
  return hash.slice(0, 8);
}
