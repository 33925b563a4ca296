import { posix } from "node:path";
import { z } from "zod";
import { artifactAddress } from "../content/artifact-address.ts";
import { mediaTypeOf } from "../content/media-type.ts";
import { findArtifact } from "../content/stored-artifact.ts";
import { jsonRoute, type Route } from "../routing/route.ts";
import { requireRun } from "../runs/require-run.ts";
import { runParams } from "./schemas.ts";

/** How long a link is good for, in seconds: it cannot be taken back. */
const shortest = 60;
const longest = 86_400;
const usual = 900;

const linkSchema = z.object({
  url: z
    .string()
    .describe("Where the content is: a whole URL, or a path of this gateway where `expires_at` is null."),
  expires_at: z.iso
    .datetime()
    .nullable()
    .describe(
      "Until when whoever has the URL can read it without a key; null for the gateway's own address, which asks for a key as every other does.",
    ),
  media_type: z.string(),
  size: z.int().describe("Bytes."),
  version: z.int().nullable().describe("Which version it is; null for uploads, which have none."),
});

/** The route by which large artifacts are handed out without passing through the gateway. */
export function linkRoute(): Route {
  return jsonRoute({
    method: "POST",
    path: "/v1/runs/{run_id}/links",
    id: "createLink",
    tag: "artifacts",
    summary: "Make a link to an artifact",
    description:
      "Where the artifacts lie in S3: a presigned URL of the newest version there is now, which reads it from S3 without a key, and saves it as a file. It cannot be taken back before it ends. Elsewhere: the artifact's address at this gateway.",
    params: runParams,
    body: z.strictObject({
      artifact: z.string().min(1).describe("Its name."),
      seconds: z.int().min(shortest).max(longest).default(usual).describe("How long it is good for."),
    }),
    answers: { 200: { description: "The link.", schema: linkSchema } },
    problems: [404],
    async handle({ params, body, store }) {
      const { run_id } = await requireRun(store, params.run_id);
      const { artifact: name, seconds } = body;
      const { key, size, version } = await findArtifact(store, run_id, name);
      const mediaType = mediaTypeOf(name);
      const link = await store.presign?.(key, { seconds, mediaType, name: posix.basename(name) });
      return {
        url: link?.url ?? artifactAddress(run_id, name),
        expires_at: link?.expires.toISOString() ?? null,
        media_type: mediaType,
        size,
        version,
      };
    },
  });
}
