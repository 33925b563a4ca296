import { findNumbers, type NumberMention, nearNumber, sameNumber } from "./numbers.ts";
import type { TokenRun } from "./quotes.ts";
import type { SourceLookup } from "./source-index.ts";

/** Where a number of the claim was found: beside the evidence, elsewhere in the source, rounded, or not at all. */
export type NumberPlace = "beside" | "elsewhere" | "rounded" | "missing";

/** The text of a run of tokens, with the signs at its ends. */
export function textOf(lookup: SourceLookup, from: number, to: number): string {
  const start = lookup.tokens[from]?.start ?? 0;
  const end = lookup.tokens[to - 1]?.end ?? start;
  // Signs before and after a figure (`$`, `%`) are no tokens.
  return lookup.source.text.slice(Math.max(0, start - 2), end + 2);
}

/** The numbers of a stretch, at their offsets in the source. */
export function numbersIn(lookup: SourceLookup, window: TokenRun | null): NumberMention[] {
  if (window === null) return [];
  const start = lookup.tokens[window.from]?.start ?? 0;
  const end = lookup.tokens[window.to - 1]?.end ?? start;
  return findNumbers(lookup.source.text.slice(start, end)).map((number) => ({
    ...number,
    start: number.start + start,
    end: number.end + start,
  }));
}

/** Where each number of a claim stands, given the text of its evidence. */
export function placeNumbers(numbers: readonly NumberMention[], text: string): NumberPlace[] {
  if (numbers.length === 0) return [];
  const there = findNumbers(text);
  return numbers.map((number) => {
    if (there.some((other) => sameNumber(number, other))) return "beside";
    return there.some((other) => nearNumber(number, other)) ? "rounded" : "missing";
  });
}

/** Looks for the missing ones in all of the source. */
export function lookFurther(
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
