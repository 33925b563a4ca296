import { fileURLToPath } from "node:url";
import { runService } from "@proofroom/hosting";
import { serve } from "@proofroom/runtime";
import packageJson from "../package.json" with { type: "json" };
import { openCodeQa } from "./index.ts";

await runService({
  service: "code-qa",
  version: packageJson.version,
  program: process,
  env: process.env,
  places: { cwd: process.cwd(), checkout: fileURLToPath(new URL("../../..", import.meta.url)) },
  async start({ workshop }) {
    const { serving } = workshop;
    const { models } = await workshop.models();
    const codeQa = openCodeQa({ models, log: serving.log, tracing: serving.tracing });
    return { workers: serve("code-qa", codeQa.handlers, serving), close: () => codeQa.close() };
  },
});
