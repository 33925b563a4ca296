import type { Cue } from "./read-transcript.ts";

/**
 * Puts the cues of a later part behind those that are there: none is lost, and what both parts hold stands once. A provider that
 * cuts a video may let a part begin a little early, and a model's clock may be off by as much: then the last line of one part is
 * the first of the next, or seems to be said before it.
 */
export function joinParts(before: readonly Cue[], next: readonly Cue[]): Cue[] {
  const last = before.at(-1);
  if (last === undefined) return [...next];
  const [first] = next;
  const isRepeated = first !== undefined && wordsOf(first.text) === wordsOf(last.text);
  const rest = next.slice(isRepeated ? 1 : 0);
  return [...before, ...rest.map((cue) => ({ ...cue, seconds: Math.max(cue.seconds, last.seconds) }))];
}

function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}
