import { z } from "zod";
import { Secret, secretText } from "./secret.ts";

const forms = /^(?:\/|rediss?(?:\+sentinel)?:\/\/.)/;

/**
 * A Redis to use instead of a private one: alone, over TLS, or the one that Sentinels name. The URL may hold a password, so it
 * is a secret. Files are named here and read by who connects. Undefined without a `REDIS_URL`.
 */
export const redisConfig = z
  .object({
    REDIS_URL: z
      .string()
      .refine((value) => forms.test(value), {
        error:
          "must be redis://…, rediss://…, redis+sentinel://…, rediss+sentinel://… or the path of a socket",
      })
      .optional(),
    REDIS_TLS_CA: z.string().optional(),
    REDIS_TLS_CERT: z.string().optional(),
    REDIS_TLS_KEY: z.string().optional(),
    REDIS_TLS_SERVERNAME: z.string().optional(),
    REDIS_SENTINEL_USERNAME: z.string().optional(),
    REDIS_SENTINEL_PASSWORD: secretText.optional(),
  })
  .superRefine((env, context) => {
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: "custom", path: [name], message });
    const url = env.REDIS_URL ?? "";
    // Who asks for a certificate to be checked must not be connected in plain text.
    for (const name of ["REDIS_TLS_CA", "REDIS_TLS_CERT", "REDIS_TLS_KEY", "REDIS_TLS_SERVERNAME"] as const) {
      if (env[name] !== undefined && !url.startsWith("rediss"))
        refuse(name, "needs a REDIS_URL that begins with rediss");
    }
    for (const name of ["REDIS_SENTINEL_USERNAME", "REDIS_SENTINEL_PASSWORD"] as const) {
      if (env[name] !== undefined && !url.includes("+sentinel://"))
        refuse(name, "needs a REDIS_URL that names Sentinels");
    }
    if ((env.REDIS_TLS_CERT === undefined) !== (env.REDIS_TLS_KEY === undefined)) {
      const missing = env.REDIS_TLS_CERT === undefined ? "REDIS_TLS_CERT" : "REDIS_TLS_KEY";
      refuse(missing, "must be set with its other half");
    }
  })
  .transform((env) => ({
    redis:
      env.REDIS_URL === undefined
        ? undefined
        : {
            url: new Secret(env.REDIS_URL),
            tls: {
              ca: env.REDIS_TLS_CA,
              cert: env.REDIS_TLS_CERT,
              key: env.REDIS_TLS_KEY,
              servername: env.REDIS_TLS_SERVERNAME,
            },
            sentinel: { username: env.REDIS_SENTINEL_USERNAME, password: env.REDIS_SENTINEL_PASSWORD },
          },
  }));
