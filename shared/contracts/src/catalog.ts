import { advance } from "./capabilities/advance.ts";
import { createResearchFile } from "./capabilities/create-research-file.ts";
import { criticEvaluateArticle } from "./capabilities/critic-evaluate-article.ts";
import { draftArticleSection } from "./capabilities/draft-article-section.ts";
import { executeSandboxTests } from "./capabilities/execute-sandbox-tests.ts";
import { exportPublicationBundle } from "./capabilities/export-publication-bundle.ts";
import { extractAndValidateCode } from "./capabilities/extract-and-validate-code.ts";
import { extractGuidelinesUrls } from "./capabilities/extract-guidelines-urls.ts";
import { fixCodeSnippets } from "./capabilities/fix-code-snippets.ts";
import { generateArticleOutline } from "./capabilities/generate-article-outline.ts";
import { generateNextQueries } from "./capabilities/generate-next-queries.ts";
import { ingestDocument } from "./capabilities/ingest-document.ts";
import { ingestRepository } from "./capabilities/ingest-repository.ts";
import { ingestVideo } from "./capabilities/ingest-video.ts";
import { ingestWebPage } from "./capabilities/ingest-web-page.ts";
import { mapSite } from "./capabilities/map-site.ts";
import { processGithubUrls } from "./capabilities/process-github-urls.ts";
import { processLocalFiles } from "./capabilities/process-local-files.ts";
import { readResearchSummary } from "./capabilities/read-research-summary.ts";
import { refineAndSaveArticle } from "./capabilities/refine-and-save-article.ts";
import { runPerplexityResearch } from "./capabilities/run-perplexity-research.ts";
import { runWebResearch } from "./capabilities/run-web-research.ts";
import { scrapeAndCleanOtherUrls } from "./capabilities/scrape-and-clean-other-urls.ts";
import { scrapeResearchUrls } from "./capabilities/scrape-research-urls.ts";
import { selectResearchSourcesToKeep } from "./capabilities/select-research-sources-to-keep.ts";
import { selectResearchSourcesToScrape } from "./capabilities/select-research-sources-to-scrape.ts";
import { transcribeYoutubeUrls } from "./capabilities/transcribe-youtube-urls.ts";
import { verifyCitations } from "./capabilities/verify-citations.ts";
import type { Capability, ServiceName } from "./capability.ts";

/** Every capability there is, in the order in which a run uses them. All surfaces are derived from this list. */
export const catalog = [
  extractGuidelinesUrls,
  processLocalFiles,
  scrapeAndCleanOtherUrls,
  processGithubUrls,
  transcribeYoutubeUrls,
  generateNextQueries,
  runWebResearch,
  runPerplexityResearch,
  selectResearchSourcesToKeep,
  selectResearchSourcesToScrape,
  scrapeResearchUrls,
  createResearchFile,
  ingestDocument,
  ingestRepository,
  ingestVideo,
  ingestWebPage,
  mapSite,
  readResearchSummary,
  generateArticleOutline,
  draftArticleSection,
  refineAndSaveArticle,
  criticEvaluateArticle,
  verifyCitations,
  extractAndValidateCode,
  executeSandboxTests,
  fixCodeSnippets,
  exportPublicationBundle,
  advance,
] as const satisfies readonly Capability[];

export type Catalog = typeof catalog;
export type CapabilityName = Catalog[number]["name"];
export type CapabilityOf<Name extends CapabilityName> = Extract<Catalog[number], { name: Name }>;

/** The names of the capabilities that a service owns: what it must have handlers for. */
export type OwnedBy<Service extends ServiceName> = Extract<Catalog[number], { owner: Service }>["name"];

const byName: ReadonlyMap<string, Capability> = new Map(
  catalog.map((capability) => [capability.name, capability]),
);

export function findCapability(name: string): Capability | undefined {
  return byName.get(name);
}

export function capabilitiesOf(service: ServiceName): readonly Capability[] {
  return catalog.filter((capability) => capability.owner === service);
}

export function publicCapabilities(): readonly Capability[] {
  return catalog.filter((capability) => capability.surface === "public");
}
