import type { Outline, OutlineSection } from "@proofroom/contracts";
import { wordCount } from "@proofroom/markdown";
import type { EvidenceBase } from "../extractive/evidence-base.ts";
import { bearings } from "../extractive/relevance.ts";
import { removeSentences, sentencesOf } from "./article-text.ts";
import type { IsOurs } from "./targeted.ts";

/**
 * Brings a section within its budget: the sentences that bear on it least go first, those without which a key
 * point would stand unanswered stay, and so does text that came from no source.
 */
export function trimSection(
  markdown: string,
  section: OutlineSection,
  outline: Outline,
  base: EvidenceBase,
  isOurs: IsOurs,
): string {
  const values = new Map<string, number>();
  const answers = new Map<number, Set<string>>();
  for (const { unit, value, point, covers } of bearings(section, outline.title, base)) {
    for (const sentence of unit.sentences) {
      const key = base.keyOf(sentence);
      values.set(key, Math.max(value, values.get(key) ?? 0));
      if (covers) answers.set(point, (answers.get(point) ?? new Set()).add(key));
    }
  }
  let current = markdown;
  const tried = new Set<string>();
  while (wordCount(current) > section.target_word_count) {
    const present = sentencesOf(current);
    const keys = new Set(present.map(({ key }) => key));
    const needed = new Set(
      [...answers.values()].flatMap((group) => {
        const left = [...group].filter((key) => keys.has(key));
        return left.length === 1 ? left : [];
      }),
    );
    const candidates = present
      .filter(({ key }) => isOurs(key) && !needed.has(key) && !tried.has(key))
      .sort((a, b) => (values.get(a.key) ?? 0) - (values.get(b.key) ?? 0) || b.start - a.start);
    const [least] = candidates;
    if (least === undefined) return current;
    tried.add(least.key);
    current = removeSentences(
      current,
      (sentence) => sentence.start === least.start,
      (sentence) => isOurs(sentence.key) && !needed.has(sentence.key),
    ).markdown;
  }
  return current;
}
