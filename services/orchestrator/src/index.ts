export { advanceRun, type OrchestratorDeps } from "./advance-run.ts";
export { cancelRun } from "./cancel-run.ts";
export { type Plan, type PlannedOutcome, planRun } from "./plan.ts";
export { type Resumed, resumeRun, retryFrom, startRun } from "./set-in-motion.ts";
export { type SweeperOptions, startSweeper } from "./sweeper.ts";
export type { PlannedStep, StepFailure } from "./walk.ts";
