import { artifact, type selectResearchSourcesToKeep } from "@proofroom/contracts";
import type { Models } from "@proofroom/models";
import type { Handler } from "@proofroom/runtime";
import { resultsMarkdown } from "../search/results-markdown.ts";
import { createAskSelector } from "../selection/ask-selector.ts";
import { readListed } from "../selection/listed.ts";
import { select } from "../selection/select.ts";

/** What rules keep at the most: they cannot tell what is trustworthy. */
const rules = { most: 15, perHost: 2 };

/** The handler of select_research_sources_to_keep. */
export function createSelectToKeep(models: Models): Handler<typeof selectResearchSourcesToKeep> {
  const ask = createAskSelector(models, "select-to-keep");
  return async (_input, context) => {
    const { artifacts } = context;
    const listed = await readListed(artifacts);
    const { chosen, ...how } = await select(context, {
      listed,
      ask,
      most: listed.length,
      rules,
      artifact: artifact.selection,
    });
    const kept = chosen.toSorted((one, other) => one.number - other.number);
    const blocks = kept.map(({ source, ...one }) => ({ ...one, text: source.text }));
    await artifacts.writeText(artifact.sourcesSelected, `${kept.map(({ number }) => number).join(",")}\n`);
    await artifacts.writeText(artifact.resultsSelected, resultsMarkdown(blocks));
    return { ...how, kept: kept.length, considered: listed.length, artifact: artifact.resultsSelected };
  };
}
