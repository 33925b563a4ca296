import { fileURLToPath } from "node:url";
import { runService } from "@proofroom/hosting";
import { listMovingRuns } from "@proofroom/runtime/records";
import packageJson from "../package.json" with { type: "json" };
import { startOrchestrator } from "./index.ts";

/** How often runs are looked at that nobody moves, in milliseconds. */
const sweepEvery = 15_000;

await runService({
  service: "orchestrator",
  version: packageJson.version,
  program: process,
  env: process.env,
  places: { cwd: process.cwd(), checkout: fileURLToPath(new URL("../../..", import.meta.url)) },
  start: async ({ workshop: { serving } }) =>
    startOrchestrator({ serving, runs: (signal) => listMovingRuns(serving.store, signal), sweepEvery }),
});
