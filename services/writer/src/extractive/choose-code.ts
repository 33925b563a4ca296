import type { OutlineSection } from "@proofroom/contracts";
import { type CodeBlock, jaccard, sourceNumber, terms } from "@proofroom/evidence";
import { languageOf, soundness } from "./code-soundness.ts";
import type { EvidenceBase } from "./evidence-base.ts";
import { subjectOf } from "./subject.ts";

export interface ChosenCode {
  sourceId: string;
  start: number;
  /** As a fence names it; empty where unknown. */
  language: string;
  code: string;
}

const perSection = 2;
/** What the section is about must be in or around the code. */
const floor = 0.35;

/** Gives each section that wants code the blocks of the sources that bear on it, none twice in the article. */
export function chooseCode(
  plans: readonly { section: OutlineSection; code: ChosenCode[] }[],
  base: EvidenceBase,
  used: readonly string[],
): void {
  const seen = used.map((code) => new Set(terms(code)));
  for (const { section, code } of plans) {
    if (!section.include_code) continue;
    for (const block of ranked([subjectOf(section.title), ...section.key_points], base)) {
      const most = section.target_word_count < 150 ? 1 : perSection;
      if (code.length >= most) break;
      const words = new Set(terms(block.code));
      // The same example in another language stands beside it in its source.
      const tab = code.some(
        (other) => other.sourceId === block.sourceId && other.language !== languageOf(block),
      );
      if (tab || seen.some((other) => jaccard(words, other) > 0.45)) continue;
      seen.push(words);
      code.push({
        sourceId: block.sourceId,
        start: block.start,
        language: languageOf(block),
        code: block.code.replace(/\s+$/, ""),
      });
    }
  }
}

/** The blocks that answer one of the queries and are sound, best first. */
function ranked(queries: readonly string[], base: EvidenceBase): CodeBlock[] {
  const ranks = new Map<CodeBlock, number>();
  for (const query of queries) {
    const hits = base.retriever.findCode(query).slice(0, 60);
    const best = hits[0]?.score ?? 0;
    for (const { item, score, coverage } of hits) {
      if (coverage < floor) continue;
      const rank = soundness(item) * (0.5 * coverage + 0.5 * (score / best));
      ranks.set(item, Math.max(rank, ranks.get(item) ?? 0));
    }
  }
  return [...ranks]
    .filter(([, rank]) => rank > 0)
    .sort(
      ([a, rankA], [b, rankB]) =>
        rankB - rankA || sourceNumber(a.sourceId) - sourceNumber(b.sourceId) || a.start - b.start,
    )
    .map(([block]) => block);
}
