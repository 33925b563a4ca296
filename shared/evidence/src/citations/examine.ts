import { type Anchored, anchoredNumbers } from "./anchors.ts";
import type { Claim } from "./claim.ts";
import { contradictions } from "./contradiction.ts";
import { isInDoubt } from "./doubt.ts";
import { antecedents, type Ground } from "./ground.ts";
import { droppedLimits } from "./limits.ts";
import { lookFurther, type NumberPlace, numbersIn, placeNumbers, textOf } from "./number-places.ts";
import { findWords, type TokenRun } from "./quotes.ts";
import { passageAt, type SourceLookup } from "./source-index.ts";
import { contentOf, type Features, measure, nothing, probability, weightIn } from "./support.ts";
import { type Token, tokenize } from "./tokens.ts";

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
  /** The sentences of the window. */
  grounds: readonly Ground[];
  /** Quotations that are not in the source. */
  missingQuotes: ReadonlySet<string>;
  /** Quotations that stand there only where they are denied or conditioned. */
  quotesInDoubt: ReadonlySet<string>;
  /** In the order of the claim's numbers. */
  numbers: readonly NumberPlace[];
  contradictions: readonly string[];
  /** What the evidence says with a restriction that the claim leaves out, as reasons. */
  limits: readonly string[];
  /** In the order of the claim's numbers. */
  anchored: readonly Anchored[];
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
  const quotes = claim.quotes.map(({ text, parts }) => ({
    text,
    runs: parts.map((part) => findWords(lookup, part)),
  }));
  const missingQuotes = quotes.filter(({ runs }) => runs.some((found) => found.length === 0));
  const quotesInDoubt = quotes.filter(({ runs }) =>
    runs.some((found) => found.length > 0 && found.every((run) => isInDoubt(lookup, run))),
  );
  const best = bestWindow(claim, lookup, weights, exact);
  return {
    exact,
    exactInDoubt: exact !== null && isInDoubt(lookup, exact),
    missingQuotes: new Set(missingQuotes.map(({ text }) => text)),
    quotesInDoubt: new Set(quotesInDoubt.map(({ text }) => text)),
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
  | "grounds"
  | "numbers"
  | "contradictions"
  | "limits"
  | "anchored"
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
      grounds: [],
      numbers,
      contradictions: [],
      limits: [],
      anchored: [],
    };
  }
  if (best === null) {
    return {
      window: null,
      windowTokens: [],
      features: nothing,
      probability: 0,
      context: new Set(),
      grounds: [],
      numbers: claim.numbers.map(() => "missing"),
      contradictions: [],
      limits: [],
      anchored: [],
    };
  }
  const numbers = lookFurther(claim.numbers, best.numbers, lookup);
  const closest = closestPassage(claim, lookup, best.window);
  return {
    ...best,
    numbers,
    grounds: groundsOf(lookup, best.window, best.context),
    contradictions: contradictions(claim.tokens, closest),
    limits: droppedLimits(claim.tokens, closest),
    anchored: anchoredNumbers(claim, { tokens: best.windowTokens, numbers: numbersIn(lookup, best.window) }),
  };
}

/** The sentences of a window, each with what need not be said in it. */
function groundsOf(lookup: SourceLookup, window: TokenRun | null, context: ReadonlySet<string>): Ground[] {
  if (window === null) return [];
  const runAt = (at: number) => ({ from: lookup.passages[at]?.from ?? 0, to: lookup.passages[at]?.to ?? 0 });
  const tokensAt = (at: number) => lookup.tokens.slice(runAt(at).from, runAt(at).to);
  const grounds: Ground[] = [];
  for (let at = passageAt(lookup, window.from); at <= passageAt(lookup, window.to - 1); at += 1) {
    const tokens = tokensAt(at);
    const understood = new Set([...context, ...antecedents(tokens, tokensAt(at - 1))]);
    grounds.push({ tokens, numbers: numbersIn(lookup, runAt(at)), understood });
  }
  return grounds;
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

function contextAbove(lookup: SourceLookup, passage: number): string {
  const locator = lookup.spans[lookup.passages[passage]?.span ?? 0]?.locator;
  return [lookup.source.title, ...(locator?.headings ?? []), locator?.file ?? ""].join("\n");
}
