import { z } from "zod";
import { Secret } from "./secret.ts";

const schemes: readonly string[] = ["redis:", "rediss:"];

/** A Redis to use instead of a private one. The URL may hold a password, so it is a secret. */
export const redisConfig = z
  .object({
    REDIS_URL: z
      .string()
      .refine((value) => value.startsWith("/") || schemes.includes(schemeOf(value)), {
        error: "must be redis://…, rediss://… or the path of a socket",
      })
      .transform((value) => new Secret(value))
      .optional(),
  })
  .transform((env) => ({ redisUrl: env.REDIS_URL }));

function schemeOf(value: string): string {
  return URL.canParse(value) ? new URL(value).protocol : "";
}
