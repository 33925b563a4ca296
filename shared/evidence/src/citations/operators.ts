import { isNegation, isStopWord } from "./tokens.ts";

/**
 * Small words that carry no claim of their own wherever they stand: articles, forms of be, do, have and get, pronouns,
 * and the prepositions and conjunctions that only hold a sentence together.
 */
const light: ReadonlySet<string> = new Set(
  `a an the am are as at be been being is was were do does did doing had has have having get got gets
  he her here hers herself him himself his i it its itself me my of on onto our ours own she that their theirs them
  themselves there these they this those to toward towards us via we what which who whom whose you your yours
  and also by etc for from how in into then through upon with about such
  it's that's there's they're we're you're i'm let's he's she's i've we've they've you've`.split(/\s+/),
);

/** Words by which a sentence says of what follows that it is kept from happening, only intended, or only said. */
const withholding: readonly string[] = [
  "fail fails failed failing",
  "refuse refuses refused refusing",
  "decline declines declined declining",
  "plan plans planned planning",
  "hope hopes hoped hoping",
  "intend intends intended intending",
  "want wants wanted wish wishes wished",
  "need needs needed",
  "expect expects expected expecting",
  "suppose supposes supposed",
  "ask asks asked asking",
  "tell tells told instruct instructs instructed urge urges urged",
  "promise promises promised promising",
  "pretend pretends pretended pretending",
  "threaten threatens threatened",
  "claim claims claimed claiming allege alleges alleged",
  "believe believes believed",
  "predict predicts predicted",
  "propose proposes proposed proposing",
  "recommend recommends recommended suggest suggests suggested advise advises advised",
  "consider considers considered considering",
  "prevent prevents prevented preventing",
  "avoid avoids avoided avoiding",
  "stop stops stopped stopping",
  "forget forgets forgot forgotten neglect neglects neglected",
  "unlikely",
];

/** Words that a sentence may say one for another without a change of what it claims. */
const groups: readonly string[] = [
  "each every per",
  "most mostly",
  "usually typically generally normally commonly",
  "often frequently",
  "some several",
  "sometimes occasionally",
  "partly partially",
  "may might could can possibly perhaps",
  "probably likely",
  "will would shall",
  "only solely exclusively just merely",
  "never",
  "rarely seldom hardly",
  "almost nearly",
  "because since",
  "when whenever while",
  "although though however but whereas yet",
  "so therefore thus hence consequently",
  "always",
  "help helps helped helping",
  "tend tends",
  "aim aims try tries attempt attempts",
  "seem seems appear appears",
  ...withholding,
];

const withheldBy: ReadonlySet<string> = new Set(withholding.flatMap((group) => group.split(" ")));

const groupOf: ReadonlyMap<string, string> = new Map(
  groups.flatMap((group) => group.split(" ").map((word): [string, string] => [word, group])),
);

/**
 * What a word does to the words around it where it is one of those that negate, bound, condition or connect them
 * (`only`, `must`, `because`, `more`): words that do the same have the same answer. Null for all other words.
 */
export function operatorOf(norm: string): string | null {
  const group = groupOf.get(norm);
  if (group !== undefined) return group;
  if (isNegation(norm)) return "not";
  return isStopWord(norm) && !light.has(norm) ? norm : null;
}

/** Whether a word says of what follows that it is kept from happening, only intended, or only said (`refused to`). */
export function withholds(norm: string): boolean {
  return withheldBy.has(norm);
}
