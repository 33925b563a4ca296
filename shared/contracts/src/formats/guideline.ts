import { z } from "zod";

export const rejectionReasons = [
  "unsupported_scheme",
  "invalid_url",
  "credentials_in_url",
  "private_address",
  "invalid_video_id",
  "traversal",
  "invalid_path",
  "unsupported_file_type",
] as const;

/** `.nova/guidelines_filenames.json`: the reference system's four keys, and two of ours. */
export const guidelineReferencesSchema = z.object({
  github_urls: z.array(z.string()),
  youtube_videos_urls: z.array(z.string()),
  other_urls: z.array(z.string()),
  local_file_paths: z.array(z.string()),
  git_urls: z.array(z.string()).default([]),
  rejected: z.array(z.object({ ref: z.string(), reason: z.enum(rejectionReasons) })).default([]),
});
export type GuidelineReferences = z.output<typeof guidelineReferencesSchema>;

/** `.nova/uploads.json`: the local files of a guideline, copied into the run under `.nova/uploads/`. */
export const uploadsSchema = z.object({
  v: z.literal(1),
  entries: z.array(
    z.object({
      /** As the guideline gives it: relative to the guideline's folder; folders end with a slash. */
      path: z.string(),
      kind: z.enum(["file", "folder", "repository"]),
      /** Paths of the copied files below `.nova/uploads/`, sorted. */
      files: z.array(z.string()),
      /** Files left out: links, and names that cannot be stored. */
      skipped: z.int().optional(),
      /** Of what can change where it lies: another text with every copy, so that whoever read the last one is seen to be stale. */
      revision: z.string().optional(),
      /** Of a repository: the commit that was cloned. */
      commit: z.string().optional(),
      /** Why it could not be copied. */
      error: z.object({ code: z.string(), message: z.string(), remedy: z.string().optional() }).optional(),
    }),
  ),
});
export type Uploads = z.infer<typeof uploadsSchema>;
