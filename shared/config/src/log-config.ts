import { z } from "zod";

const levels = ["debug", "info", "warn", "error", "silent"] as const;

/** From which level on lines are written; a program that people watch says nothing by itself, a service tells of its work. */
export function logConfig(usual: "silent" | "info") {
  return z
    .object({ PROOFROOM_LOG: z.enum(levels).default(usual) })
    .transform((env) => ({ logLevel: env.PROOFROOM_LOG }));
}
