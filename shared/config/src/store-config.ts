import { z } from "zod";
import { flag } from "./flag.ts";
import { secretText } from "./secret.ts";

const location = z.string().transform((value, context) => {
  if (/^file:./.test(value)) return { kind: "file" as const, folder: value.slice("file:".length) };
  const s3 = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>.*))?$/.exec(value)?.groups;
  if (s3?.["bucket"])
    return { kind: "s3" as const, bucket: s3["bucket"], prefix: trimSlashes(s3["prefix"] ?? "") };
  context.addIssue({ code: "custom", message: "must be file:DIR or s3://bucket/prefix" });
  return z.NEVER;
});

/** The keys have settings of their own: a password here would stand in links and errors. */
const webAddress = z.string().refine((value) => /^https?:\/\/[^/]/.test(value) && isWithoutUser(value), {
  error: "must be an http:// or https:// URL without user and password",
});

function isWithoutUser(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.username === "" && url.password === "";
}

/**
 * Where artifacts are kept; no store set means the folder `runs` of the home, which the `main.ts` knows. Without the two AWS keys the
 * SDK's own chain (profiles, instance roles) finds credentials.
 */
export const storeConfig = z
  .object({
    PROOFROOM_STORE: location.optional(),
    S3_ENDPOINT: webAddress.optional(),
    S3_PUBLIC_ENDPOINT: webAddress.optional(),
    S3_FORCE_PATH_STYLE: flag,
    AWS_REGION: z.string().optional(),
    AWS_ACCESS_KEY_ID: z.string().optional(),
    AWS_SECRET_ACCESS_KEY: secretText.optional(),
    AWS_SESSION_TOKEN: secretText.optional(),
  })
  .superRefine((env, context) => {
    if ((env.AWS_ACCESS_KEY_ID === undefined) === (env.AWS_SECRET_ACCESS_KEY === undefined)) return;
    const missing = env.AWS_ACCESS_KEY_ID === undefined ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY";
    context.addIssue({ code: "custom", path: [missing], message: "must be set with its other half" });
  })
  .transform((env) => ({
    store: env.PROOFROOM_STORE,
    s3: {
      endpoint: env.S3_ENDPOINT,
      publicEndpoint: env.S3_PUBLIC_ENDPOINT,
      forcePathStyle: env.S3_FORCE_PATH_STYLE,
      region: env.AWS_REGION,
      accessKeyId: env.AWS_ACCESS_KEY_ID,
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
      sessionToken: env.AWS_SESSION_TOKEN,
    },
  }));

function trimSlashes(text: string): string {
  return text.replace(/^\/+|\/+$/g, "");
}
