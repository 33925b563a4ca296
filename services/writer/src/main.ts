import { fileURLToPath } from "node:url";
import { runService } from "@proofroom/hosting";
import { serve } from "@proofroom/runtime";
import packageJson from "../package.json" with { type: "json" };
import { createWriterHandlers } from "./index.ts";

await runService({
  service: "writer",
  version: packageJson.version,
  program: process,
  env: process.env,
  places: { cwd: process.cwd(), checkout: fileURLToPath(new URL("../../..", import.meta.url)) },
  async start({ workshop }) {
    const { models } = await workshop.models();
    return { workers: serve("writer", createWriterHandlers({ models }), workshop.serving) };
  },
});
