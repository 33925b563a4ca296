import type { OutlineSection } from "@proofroom/contracts";
import { wordCount } from "@proofroom/markdown";

/** A text of so many times the words that were asked for is still "about" as long. */
const tolerance = 1.1;

/** Whether a section that a model wrote anew is about as long as it was asked to be, or shorter. */
export function isWithinLength(markdown: string, { target_word_count }: OutlineSection): boolean {
  return wordCount(markdown) <= target_word_count * tolerance;
}
