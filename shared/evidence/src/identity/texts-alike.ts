const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;
const wordsTogether = 5;
/** Texts with fewer such stretches say too little to be compared. */
const fewest = 40;
const share = 0.6;
/** An abstract has a stretch of so many words that is also in its paper, word for word. */
const wordsOfPassage = 50;
/** Characters of each text that are looked at. */
const longest = 200_000;

/** Whether most of the shorter text stands in the longer one, word for word: versions of one text, not texts about one thing. */
function textsAlike(one: string, other: string): boolean {
  const [first, second] = [stretchesOf(one), stretchesOf(other)];
  const [fewer, more] = first.size <= second.size ? [first, second] : [second, first];
  if (fewer.size < fewest) return false;
  let common = 0;
  for (const stretch of fewer) if (more.has(stretch)) common += 1;
  return common >= fewer.size * share;
}

interface TitledText {
  title: string;
  text: string;
}

/**
 * How far texts agree: the `whole` of the shorter one stands in the longer one; or of two with one title a `passage`, as where
 * one page has the abstract of a paper, with much around it, and the other the paper.
 */
export type Agreement = "whole" | "passage" | "none";

export function agreementOf(one: TitledText, other: TitledText): Agreement {
  if (textsAlike(one.text, other.text)) return "whole";
  const [title, otherTitle] = [one, other].map((each) => wordsOf(each.title).join(" "));
  if (title === "" || title !== otherTitle) return "none";
  const passages = stretchesOf(one.text, wordsOfPassage);
  return stretchesOf(other.text, wordsOfPassage).isDisjointFrom(passages) ? "none" : "passage";
}

function wordsOf(text: string): string[] {
  return text.slice(0, longest).toLowerCase().match(word) ?? [];
}

function stretchesOf(text: string, length = wordsTogether): Set<string> {
  const words = wordsOf(text);
  const stretches = new Set<string>();
  for (let at = 0; at + length <= words.length; at += 1)
    stretches.add(words.slice(at, at + length).join(" "));
  return stretches;
}
