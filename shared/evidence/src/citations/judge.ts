import type { Citation } from "@proofroom/contracts";
import { beyondEvidence } from "./beyond-evidence.ts";
import { type Claim, isTooLong } from "./claim.ts";
import { divide } from "./clauses.ts";
import type { Finding } from "./examine.ts";
import { isEnglish } from "./language.ts";
import type { NumberPlace } from "./number-places.ts";
import { substitutions } from "./substitutions.ts";
import { contentOf, measure, probability } from "./support.ts";

/**
 * From this probability on a paraphrase counts as supported, below the other it does not; between them it is
 * uncertain. Chosen on 1,198 labelled pairs, for precision: together with the checks below, 94 to 96 % of what is called
 * supported is (a seventh of all that is: people also accept what follows from the evidence, here it must be said),
 * and 62 % of what is called unsupported is not. A wrong “supported” misleads readers; an “uncertain” asks for a look.
 */
const supportedFrom = 0.75;
const unsupportedBelow = 0.3;

interface Judgement {
  verdict: Citation["verdict"];
  reasons: string[];
  /** 0 to 1; 1 is word for word. */
  score: number;
}

/** Decides on a claim from what all the sources it cites have of it. */
export function judge(claim: Claim, findings: readonly Finding[]): Judgement {
  if (isTooLong(claim)) return { verdict: "uncertain", reasons: [saysTooMuch(claim)], score: 0.5 };
  const quotes = claim.quotes.filter(({ text }) =>
    findings.every(({ missingQuotes }) => missingQuotes.has(text)),
  );
  if (quotes.length > 0) {
    return {
      verdict: "unsupported",
      reasons: quotes.map(({ text }) => `The quotation “${shorten(text)}” is not in the cited source.`),
      score: 0,
    };
  }
  const exact = findings.filter((finding) => finding.exact !== null);
  if (exact.some(({ exactInDoubt }) => !exactInDoubt)) return { verdict: "supported", reasons: [], score: 1 };
  if (exact.length > 0) {
    return {
      verdict: "uncertain",
      reasons: ["The words stand in the source within a sentence that denies or conditions them."],
      score: 0.5,
    };
  }
  if (contentOf(claim.tokens).length === 0) {
    return { verdict: "uncertain", reasons: [saysTooLittle], score: 0.5 };
  }
  return judgeParaphrase(claim, findings);
}

const saysTooLittle = "The sentence says too little to be compared.";

function saysTooMuch({ longest }: Claim): string {
  return `What is cited has more than ${longest} words, too many to be compared.`;
}

function judgeParaphrase(claim: Claim, findings: readonly Finding[]): Judgement {
  const places = claim.numbers.map((_, at) =>
    bestPlace(findings.map(({ numbers }) => numbers[at] ?? "missing")),
  );
  const score = scoreTogether(claim, findings, places);
  const denied = contradicted(findings);
  const reasons: string[] = [];
  for (const [at, place] of places.entries()) {
    const text = claim.numbers[at]?.text ?? "";
    if (place === "missing") reasons.push(`The number ${text} is not in the cited source.`);
    if (place === "elsewhere")
      reasons.push(`The number ${text} stands elsewhere in the cited source, not beside the evidence.`);
    if (place === "rounded") reasons.push(`The number ${text} is rounded.`);
  }
  const figureMissing = places.some(
    (place, at) => place === "missing" && claim.numbers[at]?.spelled === false,
  );
  if (figureMissing) return { verdict: "unsupported", reasons, score: Math.min(score, unsupportedBelow) };
  const recall = Math.max(0, ...findings.map(({ features }) => features.recall));
  if (denied.length > 0) {
    // Where the evidence speaks of the same thing, the opposite of what it says is no matter of degree.
    const opposite = recall >= 0.5 || score < unsupportedBelow;
    return {
      verdict: opposite ? "unsupported" : "uncertain",
      reasons: [...reasons, ...denied],
      score: Math.min(score, 0.5),
    };
  }
  const clauses = divide(
    claim,
    findings.flatMap(({ grounds }) => grounds),
  );
  const exchanged = clauses.flatMap(({ tokens, ground }) => substitutions(tokens, ground.tokens));
  for (const { claim: ours, evidence } of exchanged) {
    reasons.push(`The sentence says “${ours}” where its evidence says “${evidence}”.`);
  }
  if (exchanged.some(({ factual }) => factual)) {
    return { verdict: "unsupported", reasons, score: Math.min(score, 0.5) };
  }
  if (score < unsupportedBelow) {
    return { verdict: "unsupported", reasons: [...reasons, "Nothing in the cited source says so."], score };
  }
  for (const { text } of claim.quotes) {
    const having = findings.filter(({ missingQuotes }) => !missingQuotes.has(text));
    if (having.every(({ quotesInDoubt }) => quotesInDoubt.has(text))) {
      reasons.push(`The source denies or conditions what it says of “${shorten(text)}”.`);
    }
  }
  reasons.push(...(bestOf(findings)?.limits ?? []));
  for (const number of misplaced(claim, findings)) {
    reasons.push(`The number ${number} stands with something else in the evidence.`);
  }
  if (!isEnglish(claim.tokens)) reasons.push("Other than in English, only the same words count as support.");
  if (contentOf(claim.tokens).length < 3) reasons.push(saysTooLittle);
  reasons.push(...beyondEvidence(claim, clauses));
  if (score < supportedFrom) reasons.push("The cited source shares part of the sentence's words only.");
  return { verdict: reasons.length === 0 ? "supported" : "uncertain", reasons, score };
}

/** How probable it is that the sources say it, each alone or their best windows read together. */
function scoreTogether(claim: Claim, findings: readonly Finding[], places: readonly NumberPlace[]): number {
  const evidence = findings.flatMap(({ windowTokens }) => windowTokens);
  const context = new Set(findings.flatMap((finding) => [...finding.context]));
  const weight = (stem: string) => Math.max(0, ...findings.map(({ weights }) => weights.get(stem) ?? 0));
  const features = measure(claim.tokens, evidence, context, weight);
  const missing = places.some((place, at) => place === "missing" && claim.numbers[at]?.spelled === false);
  const joined = findings.length > 1 ? probability(features, missing) : 0;
  return Math.max(joined, ...findings.map(({ probability }) => probability));
}

/** Numbers that some source gives to something else, and none to what the claim gives them to. */
function misplaced(claim: Claim, findings: readonly Finding[]): string[] {
  return claim.numbers
    .filter((_, at) => {
      const places = findings.map(({ anchored }) => anchored[at]);
      return places.includes("other") && !places.includes("same");
    })
    .map(({ text }) => text);
}

/** Reasons against, where the finding that fits best has some. */
function contradicted(findings: readonly Finding[]): readonly string[] {
  return bestOf(findings)?.contradictions ?? [];
}

function bestOf(findings: readonly Finding[]): Finding | undefined {
  return findings.toSorted((a, b) => b.probability - a.probability)[0];
}

const ranked: readonly NumberPlace[] = ["beside", "rounded", "elsewhere", "missing"];

function bestPlace(places: readonly NumberPlace[]): NumberPlace {
  return ranked.find((place) => places.includes(place)) ?? "missing";
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
