import { createRetriever, type GuidelineBrief } from "@proofroom/evidence";
import { corpusOf, pointsOf } from "../gaps/coverage.ts";
import type { Listed } from "./listed.ts";

/** A sentence that bears on less of a point says nothing about it. */
const floor = 0.2;

/**
 * The results that bear on the guideline, the most relevant first, and never many pages of one site: a choice without
 * a model.
 */
export async function chooseByRules(
  brief: GuidelineBrief,
  listed: readonly Listed[],
  limits: { most: number; perHost: number; signal: AbortSignal },
): Promise<Listed[]> {
  const retriever = await createRetriever(corpusOf(listed.map(({ source }) => source)), {
    signal: limits.signal,
  });
  const scores = listed.map(() => 0);
  for (const { point } of [{ point: brief.topic.slice(0, 300) }, ...pointsOf(brief)]) {
    const best = new Map<number, number>();
    for (const { item, coverage } of retriever.search(point, { limit: 200, floor, diversity: 0 })) {
      const at = Number(item.sourceId.slice(1)) - 1;
      best.set(at, Math.max(best.get(at) ?? 0, coverage));
    }
    for (const [at, coverage] of best) scores[at] = (scores[at] ?? 0) + coverage;
  }
  const ranked = listed
    .map((one, at) => ({ one, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.one.number - b.one.number);
  const pages = new Map<string, number>();
  return ranked
    .map(({ one }) => one)
    .filter(({ ref }) => {
      const host = URL.parse(ref)?.hostname.replace(/^www\./, "") ?? ref;
      pages.set(host, (pages.get(host) ?? 0) + 1);
      return (pages.get(host) ?? 0) <= limits.perHost;
    })
    .slice(0, limits.most);
}
