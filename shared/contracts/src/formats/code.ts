import { z } from "zod";
import { sha256Schema } from "../ids.ts";

export const syntaxStates = ["valid", "invalid", "unchecked", "needs_python"] as const;
export const runStates = ["passed", "failed", "timeout", "skipped", "not_run"] as const;
export const runReasons = [
  "not_runnable",
  "syntax_error",
  "empty",
  "expected_output",
  "marked_no_run",
  "unclosed_fence",
  "missing_dependency",
  "needs_input",
  "needs_env",
  "needs_browser",
  "prerequisite_not_run",
  "sandbox_unavailable",
  "not_requested",
  "exception",
  "exit_code",
  "output_mismatch",
  "blocked_network",
  "blocked_write",
  "blocked_read",
  "memory_limit",
  "output_limit",
  "crashed",
  "time_limit",
] as const;

/** One code block of an article: the reference system's keys, and ours. */
export const snippetSchema = z.object({
  snippet_id: z.string(),
  language: z.string().nullable(),
  code: z.string(),
  line_estimate: z.int().nonnegative(),
  is_valid_syntax: z.boolean(),
  syntax_error: z.string().nullable(),
  target_filename: z.string(),
  index: z.int().positive(),
  info: z.string(),
  start_line: z.int().positive(),
  syntax: z.enum(syntaxStates),
  /** 1-based line within the code, where the error is. */
  error_line: z.int().positive().nullable(),
  sha256: sha256Schema,
  flags: z.array(z.enum(["indented", "unclosed", "suspicious_nesting", "nested"])),
});
export type Snippet = z.infer<typeof snippetSchema>;

/** `.nova/sandbox_manifest.json` */
export const snippetManifestSchema = z.object({
  v: z.literal(1).default(1),
  article_sha256: sha256Schema,
  total_snippets: z.int().nonnegative(),
  valid_syntax_count: z.int().nonnegative(),
  invalid_syntax_count: z.int().nonnegative(),
  unchecked_count: z.int().nonnegative(),
  snippets: z.array(snippetSchema),
});
export type SnippetManifest = z.infer<typeof snippetManifestSchema>;

/** What happened when one block was run. */
export const snippetResultSchema = z.object({
  snippet_id: z.string(),
  filename: z.string(),
  exit_code: z.int().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  duration_ms: z.number().nonnegative(),
  success: z.boolean(),
  index: z.int().positive(),
  run: z.enum(runStates),
  reason: z.enum(runReasons).nullable(),
  error: z.string().nullable(),
  truncated: z.boolean(),
  sha256: sha256Schema,
});
export type SnippetResult = z.infer<typeof snippetResultSchema>;

/** `.nova/sandbox_execution_results.json` is an array of results, as the reference system writes it. */
export const snippetResultsSchema = z.array(snippetResultSchema);
