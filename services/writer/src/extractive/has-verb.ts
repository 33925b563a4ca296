const english = /\b(?:the|an?|of|to|and|in|for|with|on)\b/i;

const auxiliary =
  /\b(?:is|are|was|were|be|has|have|had|do|does|did|can|could|will|would|shall|should|may|might|must|cannot|isn['’]t|aren['’]t|don['’]t|doesn['’]t|can['’]t|won['’]t|it['’]s|that['’]s|there['’]s|you['’]re|they['’]re|became|made|took|gave|went|came|found|ran|wrote|began|grew|kept|led|held|built|never|fell|rose|stood|saw|said|told|won|lost|left|met|sold|bought|brought|thought|taught|caught|felt|dealt|spent|sent|lay|drew|drove|flew|knew|threw|spoke|broke|chose|froze|wore|ate|drank|sang|sank|swam|sat)\b/i;

/** A word in -s or -ed before a determiner, pronoun or conjunction is a verb more often than not. */
const inflected =
  /\p{L}{2,}(?:s|ed) (?:the|an?|its|their|his|her|our|your|each|every|all|any|no|both|it|them|you|us|one|two|three|several|many|more|most|some|that|whether|how|what|when|only|as|up|out|itself|into|to|on|without|through|from|against|across|until|before|after|because|if|while)\b/iu;

/** What stands before a noun or an adjective, so that the word after it is no verb. */
const introducer =
  "the|an?|of|for|in|with|by|and|or|to|as|its|their|his|her|our|your|these|those|many|several|all|some|no|other|more|most|two|three|four|five";

/** A word in -ed after a noun or a name: `Curie discovered radium`. */
const past = new RegExp(`(?<=\\p{L}\\s)(?<!\\b(?:${introducer})\\s)\\p{Ll}{2,}ed\\b`, "u");

/** A word in -s between a noun and what it acts on: `Bokashi ferments kitchen waste`; not `libraries for clients`. */
const present = new RegExp(
  `(?<=\\p{L}{2}\\s)(?<!\\b(?:${introducer})\\s)\\p{Ll}+[a-rtv-z]s(?=\\s(?!(?:of|for|and|or|in|with|on|at|from|to|by|as)\\b)\\p{L})`,
  "u",
);

const common = new Set(
  `accept achieve act add adopt affect agree aim allow answer appear apply arise ask assign assume avoid base become
  begin behave belong block break bring build call carry catch cause change check choose claim combine come compare
  compete compile compute configure connect consider consist consume contain continue convert cost cover create crash
  deal decide decrease define delay delete deliver demand depend deploy derive describe deserve design detect determine
  develop differ disappear discard discover distribute divide do drive drop earn eliminate emerge emit enable encode
  encourage end enforce ensure enter evaluate evolve execute exist expand expect explain exploit expose express extend
  extract face fail fall feed fetch fill find finish fit fix follow force form gain generate get give go grow guarantee
  guide handle happen hear help hide hold identify ignore implement imply import improve include increase indicate infer
  inform inherit insert install intend interact introduce invoke involve isolate iterate join jump keep know lack last
  lead learn leave let lie limit list live load log look lose maintain make manage map mark match matter mean measure
  merge minimize miss mix modify monitor move need notify observe obtain occur offer open operate optimize organize
  outperform own pass pay perform persist pick place plan play point possess prefer prepare present preserve prevent
  process produce prohibit promise propose protect prove provide publish push put raise reach react read receive
  recognize recommend record reduce refer reflect refuse reject relate release rely remain remember remove render repeat
  replace report represent request require resolve respond rest restrict result retain retrieve retry return reveal
  review reward rise rotate run save say scale scan schedule see seek seem select send separate serve set share shift
  show shrink sign simplify sit skip slow solve spend split stand start stay stem stop store strive struggle submit
  succeed suffer suggest suit supply support surface survive switch take tend test think throw tolerate track train
  transform translate travel treat trigger trust try turn update use validate vary verify visit wait walk want warn
  watch weigh win work wrap write yield`.split(/\s+/),
);

/**
 * Whether a sentence has a finite verb, as far as endings and a list of common verbs can tell; one without is a
 * title or a note. What stands in brackets and infinitives do not count. Only English is judged so.
 */
export function hasVerb(text: string): boolean {
  const bare = text.replace(/\([^)]*\)/g, " ").replace(/\bto \p{Ll}+/gu, " ");
  if (!english.test(text) || auxiliary.test(bare) || inflected.test(bare)) return true;
  if (past.test(bare) || present.test(bare)) return true;
  return bare
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => bases(word).some((base) => common.has(base)));
}

/** A third person's possible base forms: `tries` is of `try`, `passes` of `pass`. */
function bases(word: string): string[] {
  if (!word.endsWith("s")) return [word];
  return [word, word.slice(0, -1), word.slice(0, -2), `${word.slice(0, -3)}y`];
}
