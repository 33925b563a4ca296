import {
  generateNextQueries,
  ingestVideo,
  runPerplexityResearch,
  runWebResearch,
  selectResearchSourcesToKeep,
  selectResearchSourcesToScrape,
  transcribeYoutubeUrls,
} from "@proofroom/contracts";
import type { Handlers } from "@proofroom/runtime";
import { handleCreateResearchFile } from "./capabilities/create-research-file.ts";
import { createExtractGuidelinesUrls } from "./capabilities/extract-guidelines-urls.ts";
import { notConfigured } from "./capabilities/not-configured.ts";
import { handleProcessGithubUrls } from "./capabilities/process-github-urls.ts";
import { handleProcessLocalFiles } from "./capabilities/process-local-files.ts";
import { handleScrapeAndCleanOtherUrls } from "./capabilities/scrape-and-clean-other-urls.ts";
import { handleScrapeResearchUrls } from "./capabilities/scrape-research-urls.ts";
import { handleTranscribeYoutubeUrls } from "./capabilities/transcribe-youtube-urls.ts";
import { createIngestDocument } from "./ingest/document/handler.ts";
import type { ParsePool } from "./ingest/parsing/parse-pool.ts";
import { createIngestRepository } from "./ingest/repository/handler.ts";
import { createIngestWebPage } from "./ingest/web/fetch-page.ts";

export { handleCreateResearchFile } from "./capabilities/create-research-file.ts";
export { openParsePool, type ParsePool, type ParsePoolOptions } from "./ingest/parsing/parse-pool.ts";

export interface ResearchDeps {
  /** Private addresses that may be fetched all the same, as `host:port`. */
  allowHosts: ReadonlySet<string>;
  /** Where clones and other temporary files may lie. */
  tempRoot: string;
  /** Where foreign formats are parsed; whoever opened it closes it. */
  parsing: ParsePool;
  /** Names of the settings that are set: what a missing provider's error speaks of. */
  configured: ReadonlySet<string>;
  now: () => Date;
}

/** The handlers of all capabilities that the research service owns. */
export function createResearchHandlers(deps: ResearchDeps): Handlers<"research"> {
  return {
    extract_guidelines_urls: createExtractGuidelinesUrls(deps),
    process_local_files: handleProcessLocalFiles,
    scrape_and_clean_other_urls: handleScrapeAndCleanOtherUrls,
    process_github_urls: handleProcessGithubUrls,
    transcribe_youtube_urls: handleTranscribeYoutubeUrls,
    generate_next_queries: notConfigured(generateNextQueries, deps.configured),
    run_web_research: notConfigured(runWebResearch, deps.configured),
    run_perplexity_research: notConfigured(runPerplexityResearch, deps.configured),
    select_research_sources_to_keep: notConfigured(selectResearchSourcesToKeep, deps.configured),
    select_research_sources_to_scrape: notConfigured(selectResearchSourcesToScrape, deps.configured),
    scrape_research_urls: handleScrapeResearchUrls,
    create_research_file: handleCreateResearchFile,
    ingest_document: createIngestDocument(deps),
    ingest_repository: createIngestRepository(deps),
    ingest_video: notConfigured(ingestVideo, deps.configured, transcribeYoutubeUrls.needs),
    ingest_web_page: createIngestWebPage(deps),
  };
}
