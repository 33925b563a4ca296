const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;
const wordsTogether = 5;
/** Texts with fewer such stretches say too little to be compared. */
const fewest = 40;
const share = 0.6;
/** Characters of each text that are looked at. */
const longest = 200_000;

/** Whether most of the shorter text stands in the longer one, word for word: versions of one text, not texts about one thing. */
export function textsAlike(one: string, other: string): boolean {
  const [first, second] = [stretchesOf(one), stretchesOf(other)];
  const [fewer, more] = first.size <= second.size ? [first, second] : [second, first];
  if (fewer.size < fewest) return false;
  let common = 0;
  for (const stretch of fewer) if (more.has(stretch)) common += 1;
  return common >= fewer.size * share;
}

function stretchesOf(text: string): Set<string> {
  const words = text.slice(0, longest).toLowerCase().match(word) ?? [];
  const stretches = new Set<string>();
  for (let at = 0; at + wordsTogether <= words.length; at += 1) {
    stretches.add(words.slice(at, at + wordsTogether).join(" "));
  }
  return stretches;
}
