/** What programs do that have no workers, or not always: without loading the queue and the models. */
export { closeAll } from "./close-all.ts";
export { interruptionOf, untilAborted } from "./interruption.ts";
export { openStore } from "./open-store.ts";
export { openTracing, type TracingSettings } from "./open-tracing.ts";
export { readModelsFile } from "./read-models-file.ts";
export { runProgram } from "./run-program.ts";
export { serveShare } from "./serve-share.ts";
export { type WorkSettings, workConfig, workSettings } from "./work-settings.ts";
