import { parseRepositoryUrl } from "./repository-url.ts";
import { wordsOf } from "./revision.ts";

/** As many characters as a file name takes from it. */
const longest = 80;

/**
 * A name for the readable copy of a repository's source: `owner_repository` for the whole of it, with revision and path
 * where the address has them, the end of a long path before its middle. A gist is told by its id and title.
 */
export function copyNameOf({ ref, title }: { ref: string; title: string }): string {
  const { name, rest, isGist } = parseRepositoryUrl(ref);
  if (isGist) return `gist_${name.slice(0, 8)}_${title.replace(/ \(gist .*$/, "")}`;
  const repository = name.split("/").join("_");
  // A copy is Markdown, and called so, itself.
  const variant = wordsOf(rest).join("_").replace(/\.md$/i, "");
  const full = variant === "" ? repository : `${repository}_${variant}`;
  if (full.length <= longest || variant === "") return full;
  const room = Math.max(longest - repository.length - 2, longest / 2);
  return `${repository.slice(0, longest - room - 2)}_-${variant.slice(-room)}`;
}
