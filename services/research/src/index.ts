import type { Models } from "@proofroom/models";
import type { Handlers } from "@proofroom/runtime";
import { handleCreateResearchFile } from "./capabilities/create-research-file.ts";
import { createExtractGuidelinesUrls } from "./capabilities/extract-guidelines-urls.ts";
import { createGenerateNextQueries } from "./capabilities/generate-next-queries.ts";
import { handleProcessGithubUrls } from "./capabilities/process-github-urls.ts";
import { handleProcessLocalFiles } from "./capabilities/process-local-files.ts";
import { createRunPerplexityResearch } from "./capabilities/run-perplexity-research.ts";
import { createRunWebResearch } from "./capabilities/run-web-research.ts";
import { handleScrapeAndCleanOtherUrls } from "./capabilities/scrape-and-clean-other-urls.ts";
import { handleScrapeResearchUrls } from "./capabilities/scrape-research-urls.ts";
import { createSelectToKeep } from "./capabilities/select-to-keep.ts";
import { createSelectToScrape } from "./capabilities/select-to-scrape.ts";
import { handleTranscribeYoutubeUrls } from "./capabilities/transcribe-youtube-urls.ts";
import { createIngestDocument } from "./ingest/document/handler.ts";
import type { ParsePool } from "./ingest/parsing/parse-pool.ts";
import { createIngestRepository } from "./ingest/repository/handler.ts";
import { createIngestVideo } from "./ingest/video/handler.ts";
import { createIngestWebPage } from "./ingest/web/handler.ts";
import { createProviders } from "./search/open-providers.ts";
import type { SearchSettings } from "./search/search-settings.ts";
import { waitByClock } from "./search/wait.ts";

export { handleCreateResearchFile } from "./capabilities/create-research-file.ts";
export { openParsePool, type ParsePool, type ParsePoolOptions } from "./ingest/parsing/parse-pool.ts";
export type { SearchSettings } from "./search/search-settings.ts";

export interface ResearchDeps {
  /** Private addresses that may be fetched all the same, as `host:port`. */
  allowHosts: ReadonlySet<string>;
  /** Where clones and other temporary files may lie. */
  tempRoot: string;
  /** Where foreign formats are parsed; whoever opened it closes it. */
  parsing: ParsePool;
  /** Names of the settings that are set: what a missing provider's error speaks of. */
  configured: ReadonlySet<string>;
  /** Where none is configured for a role, videos cannot be had, and the rest is done by rules. */
  models: Models;
  /** The providers of search that can be asked. */
  search: SearchSettings;
  now: () => Date;
}

/** The handlers of all capabilities that the research service owns. */
export function createResearchHandlers(deps: ResearchDeps): Handlers<"research"> {
  const clock = { now: deps.now, wait: waitByClock };
  const searching = { ...clock, providers: createProviders(deps.search, clock) };
  return {
    extract_guidelines_urls: createExtractGuidelinesUrls(deps),
    process_local_files: handleProcessLocalFiles,
    scrape_and_clean_other_urls: handleScrapeAndCleanOtherUrls,
    process_github_urls: handleProcessGithubUrls,
    transcribe_youtube_urls: handleTranscribeYoutubeUrls,
    generate_next_queries: createGenerateNextQueries(deps.models),
    run_web_research: createRunWebResearch(searching),
    run_perplexity_research: createRunPerplexityResearch(searching),
    select_research_sources_to_keep: createSelectToKeep(deps.models),
    select_research_sources_to_scrape: createSelectToScrape(deps.models),
    scrape_research_urls: handleScrapeResearchUrls,
    create_research_file: handleCreateResearchFile,
    ingest_document: createIngestDocument(deps),
    ingest_repository: createIngestRepository(deps),
    ingest_video: createIngestVideo(deps),
    ingest_web_page: createIngestWebPage(deps),
  };
}
