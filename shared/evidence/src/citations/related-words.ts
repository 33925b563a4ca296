/**
 * What two words of one family end in behind their common beginning, after `stem` has taken off inflection. A word may
 * only stand for another where it names the same: not for who does it or whom it is done to (`licensor`, `licensee`),
 * nor for what has it or lacks it (`stateful`, `stateless`).
 */
const pairs: ReadonlySet<string> = new Set(
  [
    // What is left of inflection: `controll`, `reliab`, `menus`.
    " l s",
    // The deed: `regulat`, `regulation`; `deploy`, `deployment`; `exist`, `existenc`; `expos`, `exposur`.
    " ion tion ition ation ment anc enc ur",
    // Who or what does it: `decod`, `decoder`; `generat`, `generator`.
    " er or",
    // The quality: `complex`, `complexity`; `robust`, `robustness`; `difficult`, `difficulty`.
    " ity ness y",
    // The adjective of a thing: `region`, `regional`; `financ`, `financial`; `danger`, `dangerous`; `success`.
    " al ial ic ous ful",
    "y ic ical ial",
    "ic ical",
    "l ility",
    // British and American spelling: `optimiz`, `optimis`; `flavor`, `flavour`; `kilometer`, `kilometr`.
    "z s",
    "r ur",
    "er r",
  ].flatMap((line) => {
    const [one = "", ...others] = line.split(" ");
    return others.flatMap((other) => [`${one}/${other}`, `${other}/${one}`]);
  }),
);

/** Stems that end as if they were of one family. */
const strangers: ReadonlySet<string> = new Set(
  `author/authority count/counter custom/customer depart/department import/importanc profess/profession
  profess/professor univers/university`.split(/\s+/),
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
    pairs.has(`${one.slice(shared)}/${other.slice(shared)}`) &&
    !strangers.has(`${one}/${other}`) &&
    !strangers.has(`${other}/${one}`)
  );
}
