/** A title as the reference system makes file names of it, before it cuts them at 60 characters. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}

/** Shorter slugs than this say too little to be one by chance of their beginning. */
const telling = 10;

/** Whether two slugs are one, either cut short. */
export function sameSlug(a: string, b: string): boolean {
  if (a === b) return a !== "";
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= telling && long.startsWith(short);
}

/** How many of the words of two slugs are the same: 0 to 1. */
export function sharedWords(a: string, b: string): number {
  const [ours, theirs] = [new Set(a.split("-")), new Set(b.split("-"))];
  const common = ours.intersection(theirs);
  common.delete("");
  return common.size / Math.max(1, ours.union(theirs).size);
}
