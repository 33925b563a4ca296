export { type Cancellations, createCancellations } from "./cancellations.ts";
export { cancelRun } from "./control/cancel-run.ts";
export type { ControlDeps } from "./control/request-advance.ts";
export { type Resumed, resumeRun, retryFrom, startRun } from "./control/set-in-motion.ts";
export { type AnyHandler, type ExecuteDeps, executeStep } from "./execute-step.ts";
export type { ChildOutcome, Handler, Handlers, StepArtifacts, StepContext } from "./handler.ts";
export { type ServeDeps, serve, serveAdvance } from "./serve.ts";
export { type StepRequest, submitStep } from "./submit.ts";
