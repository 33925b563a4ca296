export { describeModels, type EndpointDescription } from "./describe-models.ts";
export { disarmed, rearmed, visible } from "./disarmed.ts";
export { type OpenModelsOptions, openModels } from "./open-models.ts";
export { type Expectation, Flawed } from "./read-answer.ts";
export { type Spent, spentOn } from "./recordings.ts";
export type { Part } from "./request.ts";
export { extractive, type Role } from "./roles.ts";
export type { Answered, Models, Question, RunFacts } from "./router.ts";
export { onlyFence } from "./unwrap.ts";
