import type { CitationReport } from "@proofroom/contracts";
import { jaccard, terms } from "@proofroom/evidence";

export interface Repetition {
  sentence: string;
  line: number;
  /** Line of the sentence that said it first. */
  firstLine: number;
}

/** Sections that repeat by their nature. */
const repeating = /^(?:(?:executive )?summary|tl;?dr|key takeaways):?$/i;
/** Shared terms from which two sentences say the same. */
const alike = 0.8;
const fewestTerms = 5;

/** Statements, cited or not, that say again what an earlier one says, word for word or nearly so. */
export function findRepetitions({ citations, uncited }: CitationReport): Repetition[] {
  const seen: { line: number; terms: ReadonlySet<string> }[] = [];
  const repetitions: Repetition[] = [];
  for (const { sentence, line, section } of [...citations, ...uncited].sort((a, b) => a.line - b.line)) {
    const content = new Set(terms(sentence));
    if (repeating.test(section.trim()) || content.size < fewestTerms) continue;
    const earlier = seen.find(
      (other) => jaccard(other.terms, content) >= alike && sameFigures(other.terms, content),
    );
    if (earlier === undefined) seen.push({ line, terms: content });
    else repetitions.push({ sentence, line, firstLine: earlier.line });
  }
  return repetitions;
}

/** Rows and steps that differ in their figures alone are no repetition. */
function sameFigures(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a.symmetricDifference(b)].every((term) => !/\d/.test(term));
}
