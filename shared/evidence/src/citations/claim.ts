import { findNumbers, type NumberMention } from "./numbers.ts";
import { quotesIn } from "./quotes.ts";
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
