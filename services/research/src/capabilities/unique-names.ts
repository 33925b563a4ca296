const longest = 80;

/**
 * A file name from a title, a path or an address: letters and digits of any script, `.`, `_` and `-`, at most 80
 * characters, never hidden and never empty. What folds to the same name is told apart by UniqueNames.
 */
export function fileNameOf(text: string): string {
  const name = text
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replace(/-{2,}/g, "-")
    .slice(0, longest)
    .toWellFormed()
    .replace(/^[-.]+|[-.\ufffd]+$/gu, "");
  return name === "" ? "source" : name;
}

/** A title as a short lower-case name. */
export function slugOf(title: string): string {
  return fileNameOf(title.toLowerCase().replace(/[._]/g, "-").replace(/-{2,}/g, "-"))
    .slice(0, 60)
    .replace(/-+$/, "");
}

/** Hands out file names, each once: on file systems that ignore case too. */
export class UniqueNames {
  readonly #taken = new Set<string>();

  /** The name itself, or with `-2`, `-3`… where it was handed out before. */
  take(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name.toLowerCase()); count += 1) name = `${wanted}-${count}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
