export {
  type ArtifactRef,
  artifact,
  artifactNameSchema,
  artifactRefSchema,
  assertArtifactName,
  gatheredArtifact,
  isBookkeeping,
  sectionArtifact,
  sectionFolder,
} from "./artifact-name.ts";
export type { BudgetHold, BudgetHolds } from "./budget-holds.ts";
export {
  type CallGrant,
  type CallLimits,
  type CallQuota,
  callLimitsSchema,
  type WaitingCall,
} from "./call-quota.ts";
export { advance } from "./capabilities/advance.ts";
export { createResearchFile } from "./capabilities/create-research-file.ts";
export { criticEvaluateArticle } from "./capabilities/critic-evaluate-article.ts";
export { draftArticleSection } from "./capabilities/draft-article-section.ts";
export { executeSandboxTests } from "./capabilities/execute-sandbox-tests.ts";
export { exportPublicationBundle } from "./capabilities/export-publication-bundle.ts";
export { extractAndValidateCode } from "./capabilities/extract-and-validate-code.ts";
export { extractGuidelinesUrls } from "./capabilities/extract-guidelines-urls.ts";
export { fixCodeSnippets } from "./capabilities/fix-code-snippets.ts";
export { failuresShown, type GatherOutput, gatherOutputSchema } from "./capabilities/gather-output.ts";
export { generateArticleOutline } from "./capabilities/generate-article-outline.ts";
export { generateNextQueries } from "./capabilities/generate-next-queries.ts";
export { ingestDocument } from "./capabilities/ingest-document.ts";
export { ingestRepository } from "./capabilities/ingest-repository.ts";
export { ingestVideo } from "./capabilities/ingest-video.ts";
export { ingestWebPage } from "./capabilities/ingest-web-page.ts";
export { ingestedSchema } from "./capabilities/ingested.ts";
export { mapSite } from "./capabilities/map-site.ts";
export {
  fetchPolicy,
  localHints,
  localPolicy,
  modelPolicy,
  outsideHints,
  parentPolicy,
  sandboxPolicy,
} from "./capabilities/policies.ts";
export { processGithubUrls } from "./capabilities/process-github-urls.ts";
export { processLocalFiles } from "./capabilities/process-local-files.ts";
export { readResearchSummary } from "./capabilities/read-research-summary.ts";
export { refineAndSaveArticle } from "./capabilities/refine-and-save-article.ts";
export { runPerplexityResearch } from "./capabilities/run-perplexity-research.ts";
export { runWebResearch, searchOutputSchema, searchQueriesSchema } from "./capabilities/run-web-research.ts";
export { scrapeAndCleanOtherUrls } from "./capabilities/scrape-and-clean-other-urls.ts";
export { scrapeResearchUrls } from "./capabilities/scrape-research-urls.ts";
export { selectResearchSourcesToKeep } from "./capabilities/select-research-sources-to-keep.ts";
export { selectResearchSourcesToScrape } from "./capabilities/select-research-sources-to-scrape.ts";
export { transcribeYoutubeUrls } from "./capabilities/transcribe-youtube-urls.ts";
export { verifyCitations } from "./capabilities/verify-citations.ts";
export {
  type Capability,
  type CapabilityHints,
  type CapabilityPolicy,
  defineCapability,
  type InputOf,
  type OutputOf,
  type ServiceName,
  serviceNames,
} from "./capability.ts";
export {
  type CapabilityName,
  type CapabilityOf,
  type Catalog,
  capabilitiesOf,
  catalog,
  findCapability,
  type OwnedBy,
  publicCapabilities,
} from "./catalog.ts";
export {
  type Disposition,
  type ErrorCode,
  errorCodes,
  isProofroomError,
  ProofroomError,
  type ProofroomErrorOptions,
  type PublicError,
  toProofroomError,
  toPublicError,
} from "./errors.ts";
export {
  eventTypes,
  type NewRunEvent,
  type RunEvent,
  type RunStatus,
  runEventSchema,
  runStatuses,
  runStatusSchema,
} from "./event.ts";
export {
  type Citation,
  type CitationReport,
  citationReportSchema,
  citationSchema,
  type Evidence,
  evidenceSchema,
  verdicts,
} from "./formats/citations.ts";
export {
  runReasons,
  runStates,
  type Snippet,
  type SnippetManifest,
  type SnippetResult,
  snippetManifestSchema,
  snippetResultSchema,
  snippetResultsSchema,
  snippetSchema,
  syntaxStates,
} from "./formats/code.ts";
export {
  type Critique,
  categoryMaxima,
  critiqueSchema,
  type RequiredRevision,
  requiredRevisionSchema,
} from "./formats/critique.ts";
export {
  type GuidelineReferences,
  guidelineReferencesSchema,
  rejectionReasons,
  type Uploads,
  uploadsSchema,
} from "./formats/guideline.ts";
export { type NextQueries, nextQueriesSchema, nextQueriesText } from "./formats/next-queries.ts";
export { type Outline, type OutlineSection, outlineSchema, outlineSectionSchema } from "./formats/outline.ts";
export { type Recording, type RunCost, recordingSchema, runCostSchema } from "./formats/recording.ts";
export {
  type Attempt,
  attemptSchema,
  budgetSchema,
  type Epoch,
  epochSchema,
  type GenerationRequest,
  generationSchema,
  type Outcome,
  outcomeSchema,
  publicErrorSchema,
  type RunBudget,
  type RunManifest,
  type RunOptions,
  readRecordSchema,
  runBudgetSchema,
  runManifestSchema,
  runOptionsSchema,
  type StepRecord,
  stepRecordSchema,
  writtenSchema,
} from "./formats/run.ts";
export { type Selection, selectionSchema } from "./formats/selection.ts";
export { type SitePages, sitePagesSchema } from "./formats/site.ts";
export {
  type Attribution,
  attributionSchema,
  type Failure,
  failureSchema,
  type Gathered,
  gatheredSchema,
  gatheredSourceSchema,
  type Identifiers,
  type Locator,
  locatorSchema,
  type Note,
  noteSchema,
  type Provenance,
  provenanceSchema,
  type Source,
  type SourceIndex,
  type SourceKind,
  type Span,
  sourceIndexSchema,
  sourceKindSchema,
  sourceKinds,
  sourceSchema,
  spanKinds,
  spanSchema,
} from "./formats/source.ts";
export {
  defaultTenant,
  jobId,
  runIdSchema,
  sha256Schema,
  sourceIdSchema,
  stepIdSchema,
  tenantSchema,
} from "./ids.ts";
export { mediaTypeOfName, mediaTypes } from "./media-type.ts";
