import { fileURLToPath } from "node:url";
import { runService } from "@proofroom/hosting";
import { serve } from "@proofroom/runtime";
import packageJson from "../package.json" with { type: "json" };
import { createCriticHandlers } from "./index.ts";

await runService({
  service: "critic",
  version: packageJson.version,
  program: process,
  env: process.env,
  places: { cwd: process.cwd(), checkout: fileURLToPath(new URL("../../..", import.meta.url)) },
  async start({ workshop }) {
    const { models } = await workshop.models();
    const handlers = createCriticHandlers({ models, verdicts: workshop.metrics.verdicts });
    return { workers: serve("critic", handlers, workshop.serving) };
  },
});
