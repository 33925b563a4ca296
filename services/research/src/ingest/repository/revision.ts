import { ProofroomError } from "@proofroom/contracts";

/** The revision that an address asks for, and the path below it. */
export interface Revision {
  /** Branch, tag or commit as asked for; null for the default branch. */
  name: string | null;
  /** What git is asked for: a full name of a ref, `HEAD`, or a commit's hash that may be shortened. */
  wanted: { ref: string } | { commit: string };
  path: string;
}

/**
 * Finds the revision at the start of `rest`, whose names may hold slashes: the longest that is a branch or a tag,
 * else a commit. A branch goes before a tag of the same name, where the address does not say which it means.
 * @param advertised what `git ls-remote` printed
 * @throws ProofroomError not_found
 */
export function findRevision(advertised: string, rest: readonly string[]): Revision {
  if (rest.length === 0) return { name: null, wanted: { ref: "HEAD" }, path: "" };
  const refs = new Set(advertised.split("\n").flatMap((line) => line.split("\t")[1] ?? []));
  const { kinds, words } = kindsOf(rest);
  for (let length = words.length; length > 0; length -= 1) {
    const name = words.slice(0, length).join("/");
    const ref = kinds.map((kind) => `refs/${kind}/${name}`).find((candidate) => refs.has(candidate));
    if (ref !== undefined) return { name, wanted: { ref }, path: words.slice(length).join("/") };
  }
  const [first = "", ...path] = words;
  if (first === "HEAD") return { name: null, wanted: { ref: "HEAD" }, path: path.join("/") };
  if (/^[0-9a-f]{7,40}$/.test(first)) {
    return { name: first, wanted: { commit: first }, path: path.join("/") };
  }
  throw noRevision();
}

function kindsOf(rest: readonly string[]): { kinds: string[]; words: readonly string[] } {
  const [refs, kind = ""] = rest;
  const isNamed = refs === "refs" && (kind === "heads" || kind === "tags");
  return isNamed ? { kinds: [kind], words: rest.slice(2) } : { kinds: ["heads", "tags"], words: rest };
}

/** Revision and path of an address as people write them. */
export function wordsOf(rest: readonly string[]): readonly string[] {
  return kindsOf(rest).words;
}

export function noRevision(): ProofroomError {
  return new ProofroomError({
    code: "not_found",
    message: "The repository has no such branch, tag or commit.",
    remedy: "Check the address; branches are often renamed.",
  });
}

export function noPath(): ProofroomError {
  return new ProofroomError({
    code: "not_found",
    message: "The repository has no such file or folder at that revision.",
    remedy: "Check the path in the address.",
  });
}
