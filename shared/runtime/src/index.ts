export { type Cancellations, createCancellations } from "./cancellations.ts";
export { type AnyHandler, type ExecuteDeps, executeStep } from "./execute-step.ts";
export type { ChildOutcome, Handler, Handlers, StepArtifacts, StepContext } from "./handler.ts";
export { type ServeDeps, serve, serveAdvance } from "./serve.ts";
export { type StepRequest, submitStep } from "./submit.ts";
