import type { Claim } from "./claim.ts";
import { type NumberMention, nearNumber, sameNumber } from "./numbers.ts";
import { operatorOf } from "./operators.ts";
import { areRelated } from "./related-words.ts";
import { contentOf } from "./support.ts";
import { isStopWord, type Token } from "./tokens.ts";

/** A sentence of a source that a claim may rest on. */
export interface Ground {
  tokens: readonly Token[];
  numbers: readonly NumberMention[];
  /** Stems that it need not say itself: of the title, of headings, and of what its pronouns stand for. */
  understood: ReadonlySet<string>;
}

/** Words that lead from one sentence to the next, or stand for others, and say next to nothing by themselves. */
const weightless: ReadonlySet<string> = new Set(
  `additionally furthermore moreover similarly likewise meanwhile finally indeed overall specifically namely addition
  example instance fact way thing things person people individual individuals kind type types case called named
  include includes including included involve involves occur occurs occurring`.split(/\s+/),
);

/** Words of a name that may stand between two of its parts. */
const longestName = 4;

/** Whether a word of a claim says something that its sentence does not. Operators are compared apart. */
export function lacks(ground: Ground, token: Token, claim: Claim): boolean {
  const number = numberAt(claim, token);
  if (number !== undefined) return !ground.numbers.some((other) => agree(number, other));
  if (!isSubstance(token) || ground.understood.has(token.stem)) return false;
  return !ground.tokens.some(({ stem }) => areRelated(stem, token.stem));
}

/** Whether a clause says a word or a number once more than its sentence does: it was added in another place. */
export function repeats(ground: Ground, clause: readonly Token[], token: Token, claim: Claim): boolean {
  const number = numberAt(claim, token);
  if (number !== undefined) {
    const from = clause[0]?.start ?? 0;
    const earlier = claim.numbers.filter(
      (other) => other.start >= from && other.start < number.start && agree(number, other),
    );
    return (
      earlier.length > 0 && earlier.length >= ground.numbers.filter((other) => agree(number, other)).length
    );
  }
  if (!isSubstance(token) || ground.understood.has(token.stem)) return false;
  const countIn = (tokens: readonly Token[]) =>
    tokens.filter(({ stem }) => areRelated(stem, token.stem)).length;
  const earlier = countIn(clause.slice(0, clause.indexOf(token)));
  return earlier > 0 && earlier >= countIn(ground.tokens);
}

/** A month is no count, though both may be 3. */
function agree(number: NumberMention, other: NumberMention): boolean {
  if ((number.dimension === "month") !== (other.dimension === "month")) return false;
  return sameNumber(number, other) || nearNumber(number, other);
}

/** Whether a word belongs to a name that this sentence has in part, and another in full. */
export function completesName(
  ground: Ground,
  token: Token,
  claim: Claim,
  others: readonly Ground[],
): boolean {
  const at = claim.tokens.indexOf(token);
  const around = claim.tokens.slice(Math.max(0, at - longestName), at + longestName + 1);
  return around.some((part) => {
    if (part === token || !ground.tokens.some(({ stem }) => stem === part.stem)) return false;
    const [first, last] = [at, claim.tokens.indexOf(part)].sort((a, b) => a - b);
    const name = claim.tokens.slice(first, (last ?? 0) + 1);
    return (
      name.every(({ named }) => named) && others.some(({ tokens }) => stemsOf(tokens).includes(stemsOf(name)))
    );
  });
}

function stemsOf(tokens: readonly Token[]): string {
  return ` ${tokens.map(({ stem }) => stem).join(" ")} `;
}

function numberAt({ numbers }: Claim, { start, end }: Token): NumberMention | undefined {
  return numbers.find((number) => number.start <= start && end <= number.end);
}

function isSubstance({ norm }: Token): boolean {
  return !isStopWord(norm) && operatorOf(norm) === null && !weightless.has(norm);
}

const pronouns: ReadonlySet<string> = new Set(
  "it its it's they their them this these those he she his her such both".split(" "),
);
const openingWords = 4;

/** What the pronouns at the beginning of a sentence most likely stand for: what the sentence before begins with. */
export function antecedents(tokens: readonly Token[], before: readonly Token[]): string[] {
  if (!tokens.slice(0, openingWords).some(({ norm }) => pronouns.has(norm))) return [];
  return contentOf(before)
    .slice(0, openingWords)
    .map(({ stem }) => stem);
}
