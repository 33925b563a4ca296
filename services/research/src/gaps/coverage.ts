import type { Source } from "@proofroom/contracts";
import { type Corpus, type CorpusSource, createRetriever, type GuidelineBrief } from "@proofroom/evidence";
import { isPublic } from "./public-source.ts";

/** What the article is to say, and how well the evidence says it. */
export interface Coverage {
  point: string;
  /** The section that it belongs to, where it is not the section itself. */
  section: string | null;
  /** The part of the point that the best sentence bears on, 0 to 1. */
  coverage: number;
  /** That sentence. */
  best: string | null;
  /** Whether anybody can read it. */
  isPublic: boolean;
}

type Point = Pick<Coverage, "point" | "section">;

/** More points than this are not looked at. */
const mostPoints = 60;

/** The points of a guideline: those of its sections; else its sections, or what it says it is about. */
export function pointsOf(brief: GuidelineBrief): Point[] {
  const points = brief.sections.flatMap(({ title, key_points }): Point[] =>
    key_points.length === 0
      ? [{ point: title, section: null }]
      : key_points.map((point) => ({ point, section: title })),
  );
  const topics = brief.topic.split("\n").map((point): Point => ({ point, section: null }));
  const named = (points.length > 0 ? points : topics).filter(({ point }) => point.trim() !== "");
  return [...new Map(named.map((one) => [one.point, one])).values()].slice(0, mostPoints);
}

function idAt(at: number): string {
  return `S${at + 1}`;
}

/** Sources as the retriever takes them, numbered in their order. */
export function corpusOf(sources: readonly Source[]): Corpus {
  const numbered = sources.map(
    ({ ref, kind, title, text, spans }, at): CorpusSource => ({
      id: idAt(at),
      ref,
      kind,
      title,
      text,
      spans,
      words: 0,
    }),
  );
  return { sources: numbered, byId: new Map(numbered.map((source) => [source.id, source])), failures: [] };
}

/** How well some sources cover what the guideline asks for. */
export async function measureCoverage(
  brief: GuidelineBrief,
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<Coverage[]> {
  const points = pointsOf(brief);
  const focus = points.map(({ point }) => point).join("\n");
  const corpus = corpusOf(sources);
  const readable = new Set(sources.flatMap((source, at) => (isPublic(source) ? [idAt(at)] : [])));
  const retriever = await createRetriever(corpus, { focus, signal });
  return points.map(({ point, section }) => {
    const hits = retriever.search(point, { limit: 5, floor: 0, diversity: 0 });
    const best = hits.toSorted((one, other) => other.coverage - one.coverage)[0];
    if (best === undefined) return { point, section, coverage: 0, best: null, isPublic: true };
    const { coverage, item } = best;
    return { point, section, coverage, best: item.text, isPublic: readable.has(item.sourceId) };
  });
}
