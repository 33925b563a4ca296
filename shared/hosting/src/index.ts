export { closeAll } from "./close-all.ts";
export { openHealth } from "./open-health.ts";
export { type RunningService, runService } from "./run-service.ts";
export { openWorkshop, type Workshop } from "./workshop.ts";
