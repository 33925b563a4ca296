// What the store alone can tell and take: no queue is loaded, so a command that only looks starts fast.
export { authorOf, personThrough, stepIdOf } from "./canonical.ts";
export { isAtWork } from "./control/at-work.ts";
export { removeRun } from "./control/remove-run.ts";
export { createRun, type NewRun } from "./create-run.ts";
export {
  describeRun,
  type RunDescription,
  type RunSummary,
  type StepDescription,
  summariseRun,
} from "./describe-run.ts";
export { compositionNotes, editedByPersons, withNotesOfEdited } from "./edited-by-persons.ts";
export { isStale, loadSuccessors, type Standing, type Successors } from "./freshness.ts";
export { guidelineTextSchema } from "./guideline-text.ts";
export { type Ledger, type LedgerState, openLedger, type StepState } from "./ledger.ts";
export { ownedFolder, ownedKey } from "./ledger-keys.ts";
export { indexRuns, listRunIds, pageOfRuns, type RunPage, tenantsListing } from "./list-runs.ts";
export { openModelFacts } from "./model-facts.ts";
export { modelsThatWrote } from "./models-that-wrote.ts";
export { listMovingRuns } from "./moving-runs.ts";
export { type PutText, putText, textLimit } from "./put-text.ts";
export { runTitle, titleOfGuideline } from "./run-title.ts";
export { createTenantStores, type TenantStores } from "./tenants.ts";
export { type NamedSource, topicGuideline } from "./topic-guideline.ts";
export { openRunTraces, type RunTraces } from "./traces/run-traces.ts";
