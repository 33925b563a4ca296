import { artifact, type readResearchSummary, sourceIndexSchema } from "@proofroom/contracts";
import { parseGuidelineBrief } from "@proofroom/evidence";
import type { Handler } from "@proofroom/runtime";
import { titleOfBrief } from "../extractive/brief-title.ts";

/** Says what has been gathered, and what the guideline asks for. */
export const summariseResearch: Handler<typeof readResearchSummary> = async (_input, { artifacts }) => {
  const index = await artifacts.readJson(artifact.sources, sourceIndexSchema);
  const brief = parseGuidelineBrief((await artifacts.tryReadText(artifact.guideline)) ?? "");
  return {
    title: titleOfBrief(brief) ?? "",
    sections: brief.sections.map(({ title }) => title),
    sources: index.sources.map(({ id, kind, title, ref, words }) => ({ id, kind, title, ref, words })),
    failures: index.failures.length,
    words: index.sources.reduce((sum, { words }) => sum + words, 0),
  };
};
