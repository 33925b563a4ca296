import { z } from "zod";
import { requestTimeout } from "./provider-fields.ts";

/**
 * Which models there are, and whether what they are asked and answer is kept with the run. No file named means the one
 * of the checkout, which the `main.ts` knows.
 */
export const modelsConfig = z
  .object({
    PROOFROOM_MODELS: z.string().optional(),
    PROOFROOM_RECORD: z.enum(["on", "off"]).default("on"),
    /**
     * How long one call may take where its provider has no setting of its own, such as GROQ_TIMEOUT, which the models file
     * names. A long talk is watched for minutes.
     */
    PROOFROOM_MODEL_TIMEOUT: requestTimeout.default(240_000),
  })
  .transform((env) => ({
    modelsFile: env.PROOFROOM_MODELS,
    record: env.PROOFROOM_RECORD === "on",
    modelTimeoutMs: env.PROOFROOM_MODEL_TIMEOUT,
  }));
