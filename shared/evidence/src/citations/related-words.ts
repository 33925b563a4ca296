/** What English hangs on a word to make another of the same family, after `stem` has taken off inflection. */
const endings: ReadonlySet<string> = new Set(
  ` e y s z t l al ial ic ical iz is ion ition ation tion at ate er or our ers ors ment anc enc ance ence ity ility bl
  abl ibl iv ativ ous ness ist ism ql r ur th ship hood ful less`.split(/\s+/),
);

/** How long a common beginning of two words of one family is, and how much of the longer. */
const shortest = 5;
const shareOfLonger = 0.6;

/**
 * Whether two stems are of one family (`regulat`, `regulation`; `flavor`, `flavour`). A common beginning alone is not
 * enough: `complet` and `complex`, `defin` and `definit` say different things.
 */
export function areRelated(one: string, other: string): boolean {
  if (one === other) return true;
  if (one[0] !== other[0] || !/^[a-z]+$/.test(one) || !/^[a-z]+$/.test(other)) return false;
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return (
    shared >= Math.max(shortest, shareOfLonger * Math.max(one.length, other.length)) &&
    endings.has(one.slice(shared)) &&
    endings.has(other.slice(shared))
  );
}
