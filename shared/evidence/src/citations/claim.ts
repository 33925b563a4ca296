import { findNumbers, type NumberMention } from "./numbers.ts";
import { quotesIn } from "./quotes.ts";
import { type Token, tokenize } from "./tokens.ts";

/** A cited sentence, taken apart once for all the sources that it cites. */
export interface Claim {
  sentence: string;
  tokens: readonly Token[];
  quotes: readonly { text: string; parts: readonly Token[][] }[];
  numbers: readonly NumberMention[];
  /** How many words are compared at most: the time that takes grows with their square. */
  longest: number;
}

const longestSentence = 400;
const longestCode = 2_000;

/** Whether a claim has too many words to be looked up; `judge` calls it uncertain. */
export function isTooLong({ tokens, longest }: Claim): boolean {
  return tokens.length > longest;
}

export function prepareClaim(sentence: string): Claim {
  return {
    sentence,
    tokens: tokenize(sentence),
    quotes: quotesIn(sentence),
    numbers: findNumbers(sentence),
    longest: longestSentence,
  };
}

/** A block of code as a claim: its words alone count. */
export function codeClaim(code: string): Claim {
  return { sentence: code, tokens: tokenize(code), quotes: [], numbers: [], longest: longestCode };
}
