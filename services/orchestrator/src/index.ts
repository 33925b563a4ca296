export { advanceRun } from "./advance-run.ts";
export { type Plan, type PlannedOutcome, planRun } from "./plan.ts";
export { type OrchestratorOptions, startOrchestrator } from "./start-orchestrator.ts";
export { type SweeperOptions, startSweeper } from "./sweeper.ts";
export type { PlannedStep, StepFailure } from "./walk.ts";
