import { artifact, type selectResearchSourcesToScrape } from "@proofroom/contracts";
import type { Models } from "@proofroom/models";
import type { Handler } from "@proofroom/runtime";
import { createAskSelector } from "../selection/ask-selector.ts";
import { readDropped } from "../selection/kept.ts";
import { readListed } from "../selection/listed.ts";
import { select } from "../selection/select.ts";
import { readGathered } from "./corpus-index.ts";

/** The handler of select_research_sources_to_scrape: among the kept results whose pages were not read yet. */
export function createSelectToScrape(models: Models): Handler<typeof selectResearchSourcesToScrape> {
  const ask = createAskSelector(models, "select-to-scrape");
  return async ({ max_sources: most }, context) => {
    const { artifacts } = context;
    const dropped = await readDropped(artifacts);
    const { entries } = await readGathered(artifacts);
    const unread = new Set(
      entries.flatMap(({ source, alsoAt }) =>
        source.kind === "search_result" ? [source.ref, ...alsoAt] : [],
      ),
    );
    const listed = (await readListed(artifacts)).filter(({ ref }) => unread.has(ref) && !dropped.has(ref));
    const { chosen, ...how } = await select(context, {
      listed,
      ask,
      most,
      rules: { most, perHost: 1 },
      artifact: artifact.urlSelection,
    });
    const urls = chosen.map(({ ref }) => ref);
    await artifacts.writeText(artifact.urlsToScrape, urls.map((url) => `${url}\n`).join(""));
    return { ...how, urls, artifact: artifact.urlsToScrape };
  };
}
