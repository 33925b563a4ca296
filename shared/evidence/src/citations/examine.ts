import { contradictions } from "./contradiction.ts";
import { findNumbers, type NumberMention, nearNumber, sameNumber } from "./numbers.ts";
import { findWords, quotesIn, type TokenRun } from "./quotes.ts";
import type { SourceLookup } from "./source-index.ts";
import { type Substitution, substitutions } from "./substitutions.ts";
import { contentOf, type Features, measure, nothing, probability, weightIn } from "./support.ts";
import { type Token, tokenize } from "./tokens.ts";

/** A cited sentence, taken apart once for all the sources that it cites. */
export interface Claim {
  sentence: string;
  tokens: readonly Token[];
  quotes: readonly { text: string; parts: readonly Token[][] }[];
  numbers: readonly NumberMention[];
}

export function prepareClaim(sentence: string): Claim {
  return {
    sentence,
    tokens: tokenize(sentence),
    quotes: quotesIn(sentence),
    numbers: findNumbers(sentence),
  };
}

/** Where a number of the claim was found: beside the evidence, elsewhere in the source, rounded, or not at all. */
export type NumberPlace = "beside" | "elsewhere" | "rounded" | "missing";

/** What one source has of a claim. */
export interface Finding {
  /** The whole sentence, word for word. */
  exact: TokenRun | null;
  /** The words stand there, but within a sentence that denies or conditions them. */
  exactInDoubt: boolean;
  /** The best one to three passages; null where nothing of the claim occurs. */
  window: TokenRun | null;
  windowTokens: readonly Token[];
  features: Features;
  probability: number;
  context: ReadonlySet<string>;
  /** Quotations that are not in the source. */
  missingQuotes: ReadonlySet<string>;
  /** In the order of the claim's numbers. */
  numbers: readonly NumberPlace[];
  contradictions: readonly string[];
  /** Words exchanged in a sentence that is otherwise nearly the source's. */
  substitutions: readonly Substitution[];
  /** Weights of the claim's stems within the source. */
  weights: ReadonlyMap<string, number>;
}

/** Passages around which windows are tried. */
const candidateCount = 8;
const longestWindow = 3;

/** Looks a claim up in one source. */
export function examine(claim: Claim, lookup: SourceLookup): Finding {
  const weights = new Map(contentOf(claim.tokens).map(({ stem }) => [stem, weightIn(lookup, stem)]));
  // Signs such as % are no words, so figures are compared again where all the words agree.
  const runs = (claim.tokens.length > 1 ? findWords(lookup, claim.tokens) : []).filter(({ from, to }) =>
    placeNumbers(claim.numbers, textOf(lookup, from, to)).every((place) => place === "beside"),
  );
  const exact = runs.find((run) => !isInDoubt(lookup, run)) ?? runs[0] ?? null;
  const missingQuotes = new Set(
    claim.quotes
      .filter(({ parts }) => parts.some((part) => findWords(lookup, part, 1).length === 0))
      .map(({ text }) => text),
  );
  const best = bestWindow(claim, lookup, weights, exact);
  return {
    exact,
    exactInDoubt: exact !== null && isInDoubt(lookup, exact),
    missingQuotes,
    weights,
    ...best,
  };
}

type Best = Pick<
  Finding,
  | "window"
  | "windowTokens"
  | "features"
  | "probability"
  | "context"
  | "numbers"
  | "contradictions"
  | "substitutions"
>;

function bestWindow(
  claim: Claim,
  lookup: SourceLookup,
  weights: ReadonlyMap<string, number>,
  exact: TokenRun | null,
): Best {
  let best: Best | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const [first, last] of windowsToTry(claim, lookup, weights, exact)) {
    const from = lookup.passages[first]?.from ?? 0;
    const to = lookup.passages[last]?.to ?? 0;
    const windowTokens = lookup.tokens.slice(from, to);
    const above = contextAbove(lookup, first);
    const context = new Set(tokenize(above).map(({ stem }) => stem));
    const features = measure(claim.tokens, windowTokens, context, (stem) => weights.get(stem) ?? 0);
    const numbers = placeNumbers(claim.numbers, `${above}\n${textOf(lookup, from, to)}`);
    const missing = numbers.filter((place) => place !== "beside").length;
    const hard = numbers.some((place, at) => place === "missing" && claim.numbers[at]?.spelled === false);
    const found = probability(features, hard);
    const score = found - 0.05 * missing - 0.01 * (last - first);
    if (score <= bestScore) continue;
    bestScore = score;
    best = {
      window: { from, to },
      windowTokens,
      features,
      probability: found,
      context,
      numbers,
      contradictions: [],
      substitutions: [],
    };
  }
  if (best === null) {
    return {
      window: null,
      windowTokens: [],
      features: nothing,
      probability: 0,
      context: new Set(),
      numbers: claim.numbers.map(() => "missing"),
      contradictions: [],
      substitutions: [],
    };
  }
  const numbers = lookFurther(claim.numbers, best.numbers, lookup);
  const closest = closestPassage(claim, lookup, best.window);
  return {
    ...best,
    numbers,
    contradictions: contradictions(claim.tokens, closest),
    substitutions: substitutions(claim.tokens, closest),
  };
}

/** Of a window, the passage that shares most words with the claim: what denies or states is a single sentence. */
function closestPassage(claim: Claim, lookup: SourceLookup, window: TokenRun | null): readonly Token[] {
  const stems = new Set(contentOf(claim.tokens).map(({ stem }) => stem));
  let closest: readonly Token[] = [];
  let most = -1;
  if (window === null) return closest;
  for (let at = passageAt(lookup, window.from); at <= passageAt(lookup, window.to - 1); at += 1) {
    const tokens = lookup.tokens.slice(lookup.passages[at]?.from, lookup.passages[at]?.to);
    const shared = new Set(tokens.map(({ stem }) => stem)).intersection(stems).size;
    if (shared > most) {
      most = shared;
      closest = tokens;
    }
  }
  return closest;
}

/** Runs of one to three passages around those that share most with the claim, within one span or the next. */
function windowsToTry(
  claim: Claim,
  lookup: SourceLookup,
  weights: ReadonlyMap<string, number>,
  exact: TokenRun | null,
): [first: number, last: number][] {
  const scores = new Map<number, number>();
  for (const [stem, weight] of weights) {
    for (const passage of lookup.passagesOf.get(stem) ?? []) {
      scores.set(passage, (scores.get(passage) ?? 0) + weight);
    }
  }
  const centres = [...scores]
    .sort(([a, scoreOfA], [b, scoreOfB]) => scoreOfB - scoreOfA || a - b)
    .slice(0, candidateCount)
    .map(([passage]) => passage);
  const runs = claim.quotes.flatMap(({ parts }) => parts.flatMap((part) => findWords(lookup, part, 4)));
  for (const run of exact === null ? runs : [exact, ...runs]) centres.push(passageAt(lookup, run.from));
  const windows = new Map<string, [number, number]>();
  for (const centre of centres) {
    for (let length = 1; length <= longestWindow; length += 1) {
      for (let first = centre - length + 1; first <= centre; first += 1) {
        const last = first + length - 1;
        if (first >= 0 && last < lookup.passages.length) windows.set(`${first} ${last}`, [first, last]);
      }
    }
  }
  return [...windows.values()];
}

/** The passage in which a token stands. */
export function passageAt(lookup: SourceLookup, token: number): number {
  let low = 0;
  let high = lookup.passages.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lookup.passages[middle]?.from ?? 0) <= token) low = middle;
    else high = middle - 1;
  }
  return low;
}

function contextAbove(lookup: SourceLookup, passage: number): string {
  const locator = lookup.spans[lookup.passages[passage]?.span ?? 0]?.locator;
  return [lookup.source.title, ...(locator?.headings ?? []), locator?.file ?? ""].join("\n");
}

function textOf(lookup: SourceLookup, from: number, to: number): string {
  const start = lookup.tokens[from]?.start ?? 0;
  const end = lookup.tokens[to - 1]?.end ?? start;
  // Signs before and after a figure (`$`, `%`) are no tokens.
  return lookup.source.text.slice(Math.max(0, start - 2), end + 2);
}

function placeNumbers(numbers: readonly NumberMention[], text: string): NumberPlace[] {
  if (numbers.length === 0) return [];
  const there = findNumbers(text);
  return numbers.map((number) => {
    if (there.some((other) => sameNumber(number, other))) return "beside";
    return there.some((other) => nearNumber(number, other)) ? "rounded" : "missing";
  });
}

function lookFurther(
  numbers: readonly NumberMention[],
  places: readonly NumberPlace[],
  lookup: SourceLookup,
): NumberPlace[] {
  if (!places.includes("missing")) return [...places];
  const there = findNumbers(lookup.source.text);
  return places.map((place, at) => {
    const number = numbers[at];
    if (place !== "missing" || number === undefined) return place;
    return there.some((other) => sameNumber(number, other)) ? "elsewhere" : "missing";
  });
}

const doubtBefore: ReadonlySet<string> = new Set(
  "false untrue wrong incorrect myth misconception unless if deny denies denied allegedly supposedly claim claims claimed doubt".split(
    " ",
  ),
);
const doubtAfter: ReadonlySet<string> = new Set(
  "false untrue wrong incorrect myth misconception not".split(" "),
);

/** Whether the words stand in a sentence that takes them back: “It is not true that …”, “… is a myth”. */
function isInDoubt(lookup: SourceLookup, run: TokenRun): boolean {
  const first = lookup.passages[passageAt(lookup, run.from)];
  const last = lookup.passages[passageAt(lookup, run.to - 1)];
  const before = lookup.tokens.slice(first?.from ?? run.from, run.from);
  const after = lookup.tokens.slice(run.to, Math.min(run.to + 4, last?.to ?? run.to));
  return (
    before.some(
      ({ norm }) => doubtBefore.has(norm) || norm === "not" || norm === "no" || norm.endsWith("n't"),
    ) || after.some(({ norm }) => doubtAfter.has(norm))
  );
}
