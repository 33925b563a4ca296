import { fileURLToPath } from "node:url";
import { runService } from "@proofroom/hosting";
import { serve } from "@proofroom/runtime";
import packageJson from "../package.json" with { type: "json" };
import { openResearch } from "./index.ts";

await runService({
  service: "research",
  version: packageJson.version,
  program: process,
  env: process.env,
  places: { cwd: process.cwd(), checkout: fileURLToPath(new URL("../../..", import.meta.url)) },
  async start({ settings, workshop }) {
    const { serving } = workshop;
    const tempRoot = await workshop.tempRoot();
    const { models, calls } = await workshop.models();
    const research = openResearch({
      settings,
      store: serving.store,
      models,
      calls,
      tempRoot,
      tracing: serving.tracing,
    });
    return { workers: serve("research", research.handlers, serving), close: () => research.close() };
  },
});
