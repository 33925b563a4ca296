import type { ObjectStore } from "@proofroom/artifacts";
import type { Models, OutsideCalls } from "@proofroom/models";
import type { Handlers } from "@proofroom/runtime";
import { noTracing, type Tracing } from "@proofroom/telemetry";
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
import { openPageBrowser, type PageBrowser } from "./ingest/browser/page-browser.ts";
import { createIngestDocument } from "./ingest/document/handler.ts";
import { openPageCache, type PageCache, withoutPageCache } from "./ingest/page-cache/page-cache.ts";
import { openParsePool, type ParsePool } from "./ingest/parsing/parse-pool.ts";
import { traceParsing } from "./ingest/parsing/traced-parsing.ts";
import type { GitSettings } from "./ingest/repository/git-settings.ts";
import { createIngestRepository } from "./ingest/repository/handler.ts";
import { createMapSite } from "./ingest/site/handler.ts";
import { createIngestVideo } from "./ingest/video/handler.ts";
import { createIngestWebPage } from "./ingest/web/handler.ts";
import { createPageFetching } from "./ingest/web/page-fetching.ts";
import type { WebSettings } from "./ingest/web/web-settings.ts";
import { createProviders } from "./search/open-providers.ts";
import type { SearchSettings } from "./search/search-settings.ts";
import { waitByClock } from "./search/wait.ts";

export { handleCreateResearchFile } from "./capabilities/create-research-file.ts";
export { findChromium } from "./ingest/browser/find-chromium.ts";
export { hasChromiumSandbox } from "./ingest/browser/launch-chromium.ts";
export { openParsePool, type ParsePool, type ParsePoolOptions } from "./ingest/parsing/parse-pool.ts";
export type { GitSettings } from "./ingest/repository/git-settings.ts";
export type { WebSettings } from "./ingest/web/web-settings.ts";
export type { SearchSettings } from "./search/search-settings.ts";

export interface ResearchDeps {
  /** Private addresses that may be fetched all the same, as `host:port`. */
  allowHosts: ReadonlySet<string>;
  /** Tokens for git servers, and servers of one's own. */
  git: GitSettings;
  /** Where clones and other temporary files may lie. */
  tempRoot: string;
  /** Where foreign formats are parsed; whoever opened it closes it. */
  parsing: ParsePool;
  /** Where pages are looked for that other runs have fetched. */
  pageCache: PageCache;
  /** Names of the settings that are set: what a missing provider's error speaks of. */
  configured: ReadonlySet<string>;
  /** Where none is configured for a role, videos cannot be had, and the rest is done by rules. */
  models: Models;
  /** The providers of search that can be asked. */
  search: SearchSettings;
  /** How web pages are fetched. */
  web: WebSettings;
  /** What pages are shown in that show nothing without their scripts; whoever opened it closes it. */
  browser: PageBrowser;
  /** Through which searches are made and pages fetched: they are counted, and recorded with the run. */
  calls: OutsideCalls;
  now: () => Date;
}

/** The handlers of all capabilities that the research service owns. */
export function createResearchHandlers(deps: ResearchDeps): Handlers<"research"> {
  const clock = { now: deps.now, wait: waitByClock };
  const searching = { ...clock, calls: deps.calls, providers: createProviders(deps.search, clock) };
  const fetching = { ...deps, ...createPageFetching({ ...deps, ...clock }) };
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
    ingest_web_page: createIngestWebPage(fetching),
    map_site: createMapSite({ ...fetching, sitePages: deps.web.sitePages }),
  };
}

/** What the environment says of the service. */
export interface ResearchSettings extends Pick<ResearchDeps, "allowHosts" | "git" | "search" | "web"> {
  /** Names of the settings that are set. */
  given: ReadonlySet<string>;
  /** How old a fetched page may be that serves another run; null where each fetches for itself. */
  pageCacheMs: number | null;
}

/** Opens the service as it is in use: its handlers, and what they hold until they are closed. */
export function openResearch(
  options: Pick<ResearchDeps, "models" | "calls" | "tempRoot"> & {
    tracing?: Tracing;
    settings: ResearchSettings;
    store: ObjectStore;
  },
): { handlers: Handlers<"research">; close(): Promise<void> } {
  const { settings, store, tracing = noTracing, ...deps } = options;
  const { allowHosts, git, search, web, given, pageCacheMs } = settings;
  const now = () => new Date();
  const parsing = traceParsing(openParsePool(), tracing);
  const pageCache =
    pageCacheMs === null
      ? withoutPageCache
      : openPageCache({ store, now, maxAgeMs: pageCacheMs, allowHosts, means: meansOf(web) });
  const browser = openPageBrowser({ chromium: web.chromium, tempRoot: deps.tempRoot });
  const handlers = createResearchHandlers({
    ...deps,
    browser,
    allowHosts,
    git,
    search,
    web,
    configured: given,
    parsing,
    pageCache,
    now,
  });
  return {
    handlers,
    async close() {
      await browser.close();
      await parsing.close();
    },
  };
}

/** A page that was fetched against a site's robots.txt is none for those who obey it. */
function meansOf({ firecrawl, robots }: WebSettings): string {
  return `${firecrawl === undefined ? "http" : "firecrawl"}${robots ? "" : ", whatever robots.txt says"}`;
}
