import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ObjectStore, openRunArtifacts } from "@proofroom/artifacts";
import {
  artifact,
  citationReportSchema,
  critiqueSchema,
  type Outcome,
  type PublicError,
  snippetManifestSchema,
  snippetResultsSchema,
} from "@proofroom/contracts";
import type { z } from "zod";

export interface RunResult {
  run_id: string;
  status: Outcome["status"];
  article: "approved" | "draft" | null;
  reasons: string[];
  error: PublicError | null;
  files: { research?: string; article?: string; page?: string };
  verified: {
    score: number | null;
    citations: { cited: number; supported: number } | null;
    code: { passed: number; blocks: number } | null;
  };
}

async function readNewest(store: ObjectStore, runId: string, name: string): Promise<Uint8Array | null> {
  const artifacts = openRunArtifacts(store, runId);
  const version = await artifacts.latest(name);
  return version === null ? null : artifacts.read(name, version);
}

async function readReport<Schema extends z.ZodType>(
  store: ObjectStore,
  runId: string,
  name: string,
  schema: Schema,
) {
  const bytes = await readNewest(store, runId, name);
  if (bytes === null) return null;
  const parsed = schema.safeParse(JSON.parse(Buffer.from(bytes).toString("utf8")));
  return parsed.success ? (parsed.data as z.output<Schema>) : null;
}

async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const staged = `${path}.part`;
  await writeFile(staged, bytes);
  await rename(staged, path);
}

/** Copies the three results into a folder, as far as the run has them. */
export async function copyResults(
  store: ObjectStore,
  runId: string,
  folder: string,
): Promise<RunResult["files"]> {
  const files: RunResult["files"] = {};
  const wanted = [
    ["research", artifact.research],
    ["article", artifact.article],
    ["page", artifact.page],
  ] as const;
  for (const [key, name] of wanted) {
    const bytes = await readNewest(store, runId, name);
    if (bytes === null) continue;
    await mkdir(folder, { recursive: true });
    const path = join(folder, name);
    await writeAtomically(path, bytes);
    files[key] = path;
  }
  return files;
}

/** What a run came to, from its outcome and its reports. */
export async function collectResult(
  store: ObjectStore,
  runId: string,
  outcome: Outcome,
  files: RunResult["files"],
): Promise<RunResult> {
  const [citations, critique, manifest, ran] = await Promise.all([
    readReport(store, runId, artifact.citations, citationReportSchema),
    readReport(store, runId, artifact.critique, critiqueSchema),
    readReport(store, runId, artifact.manifest, snippetManifestSchema),
    readReport(store, runId, artifact.results, snippetResultsSchema),
  ]);
  // Results of blocks that the article no longer has say nothing about it.
  const current = new Set(manifest?.snippets.map(({ index, sha256 }) => `${index} ${sha256}`));
  const code = ran?.filter(({ index, sha256 }) => current.has(`${index} ${sha256}`)) ?? [];
  return {
    run_id: runId,
    status: outcome.status,
    article: outcome.article ?? null,
    reasons: outcome.reasons,
    error: outcome.error ?? null,
    files,
    verified: {
      score: critique?.overall_score ?? null,
      citations:
        citations === null
          ? null
          : { cited: citations.summary.cited, supported: citations.summary.supported },
      code:
        code.length === 0
          ? null
          : { passed: code.filter(({ success }) => success).length, blocks: code.length },
    },
  };
}

/** The same for a person: paths, what was verified, and what was not. */
export function resultText(result: RunResult): string {
  const lines: string[] = [];
  const { verified, files } = result;
  for (const path of [files.research, files.article, files.page]) if (path !== undefined) lines.push(path);
  if (result.status === "succeeded") {
    const parts: string[] = [];
    if (verified.citations !== null)
      parts.push(`${verified.citations.supported} of ${verified.citations.cited} citations verified`);
    if (verified.code !== null)
      parts.push(`${verified.code.passed} of ${verified.code.blocks} code blocks ran and passed`);
    if (verified.score !== null) parts.push(`score ${verified.score} of 100`);
    lines.push(`${result.article === "approved" ? "Approved" : "DRAFT"}: ${parts.join(", ")}.`);
    if (result.article === "approved" && result.reasons.length > 0) lines.push("Worth knowing:");
    for (const reason of result.reasons) lines.push(`  - ${reason}`);
  }
  lines.push(`Run ${result.run_id} ${result.status}.`);
  return lines.join("\n");
}
