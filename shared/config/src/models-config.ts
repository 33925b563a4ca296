import { z } from "zod";

/**
 * Which models there are, and whether what they are asked and answer is kept with the run. No file named means the one
 * of the checkout, which the `main.ts` knows.
 */
export const modelsConfig = z
  .object({
    PROOFROOM_MODELS: z.string().optional(),
    PROOFROOM_RECORD: z.enum(["on", "off"]).default("on"),
    /** How long one call may take, in seconds: a long talk is watched for minutes. */
    PROOFROOM_MODEL_TIMEOUT: z.coerce.number().positive().max(3_600).default(240),
  })
  .transform((env) => ({
    modelsFile: env.PROOFROOM_MODELS,
    record: env.PROOFROOM_RECORD === "on",
    modelTimeoutMs: env.PROOFROOM_MODEL_TIMEOUT * 1_000,
  }));
