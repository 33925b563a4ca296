import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { type ObjectStore, openRunArtifacts, sha256Of } from "@proofroom/artifacts";
import {
  artifact,
  citationReportSchema,
  critiqueSchema,
  type Outcome,
  type PublicError,
  type RunCost,
  snippetManifestSchema,
  snippetResultsSchema,
} from "@proofroom/contracts";
import { z } from "zod";
import { costText } from "./cost.ts";

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
  /** What models and searches cost, and how many pages were fetched; null where nobody was asked, or a gateway does not tell. */
  cost: RunCost | null;
}

/** The newest version of an artifact of a run, wherever the run is; null where there is none. */
export type ReadArtifact = (name: string) => Promise<Uint8Array | null>;

/** Reads those of a run in a store. */
export function artifactReader(store: ObjectStore, runId: string): ReadArtifact {
  const artifacts = openRunArtifacts(store, runId);
  return async (name) => {
    const version = await artifacts.latest(name);
    return version === null ? null : artifacts.read(name, version);
  };
}

async function readReport<Schema extends z.ZodType>(read: ReadArtifact, name: string, schema: Schema) {
  const bytes = await read(name);
  if (bytes === null) return null;
  const parsed = schema.safeParse(JSON.parse(Buffer.from(bytes).toString("utf8")));
  return parsed.success ? (parsed.data as z.output<Schema>) : null;
}

async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const staged = `${path}.part`;
  await writeFile(staged, bytes);
  await rename(staged, path);
}

/** Beside the results: what Proofroom wrote there, so that what somebody else wrote is never taken for it. */
const mark = ".proofroom-results.json";
const markSchema = z.record(z.string(), z.string());

async function readMark(folder: string): Promise<Record<string, string>> {
  const text = await readFile(join(folder, mark), "utf8").catch(() => "{}");
  try {
    return markSchema.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Gives a file a second name before the first is taken from it. */
async function keep(path: string): Promise<string> {
  const { dir, name, ext } = parse(path);
  for (let n = 1; ; n += 1) {
    const kept = join(dir, `${name}.kept-${n}${ext}`);
    try {
      await link(path, kept);
      return kept;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** Keeps a file that Proofroom did not write there. */
async function keepForeign(path: string, ours: string | undefined): Promise<string | null> {
  const bytes = await readFile(path).catch(() => null);
  return bytes === null || sha256Of(bytes) === ours ? null : keep(path);
}

/** Takes the name from an earlier run's result: beside this run's it would pass for one of them. */
async function keepEarlier(path: string): Promise<string | null> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return null;
  const kept = await keep(path);
  await rm(path);
  return kept;
}

/**
 * Copies the three results into a folder, as far as the run has them; what stands there of others is kept, and so are results
 * of an earlier run that this one does not have. Where it has none, the folder stays as it is.
 */
export async function copyResults(
  read: ReadArtifact,
  folder: string,
  note: (line: string) => void,
): Promise<RunResult["files"]> {
  const files: RunResult["files"] = {};
  const written = await readMark(folder);
  const wanted = [
    ["research", artifact.research],
    ["article", artifact.article],
    ["page", artifact.page],
  ] as const;
  const results = await Promise.all(
    wanted.map(async ([key, name]) => ({
      key,
      name,
      path: join(folder, name),
      bytes: await read(name),
    })),
  );
  if (results.every(({ bytes }) => bytes === null)) return files;
  await mkdir(folder, { recursive: true });
  // Before anything new is there: whoever is cut short leaves no page of one run beside the article of another.
  for (const { name, path, bytes } of results) {
    if (bytes !== null || written[name] === undefined) continue;
    const kept = await keepEarlier(path);
    if (kept !== null) note(`This run has no ${name}: that of an earlier run is kept as ${kept}`);
    delete written[name];
  }
  for (const { key, name, path, bytes } of results) {
    if (bytes === null) continue;
    const kept = await keepForeign(path, written[name]);
    if (kept !== null) note(`The ${name} that was there is kept as ${kept}`);
    await writeAtomically(path, bytes);
    written[name] = sha256Of(bytes);
    files[key] = path;
  }
  await writeAtomically(join(folder, mark), Buffer.from(`${JSON.stringify(written, null, 2)}\n`));
  return files;
}

export interface EndedRun {
  runId: string;
  outcome: Pick<Outcome, "status" | "article" | "reasons" | "error">;
  files: RunResult["files"];
  cost: RunCost | null;
}

/** What a run came to, from its outcome and its reports. */
export async function collectResult(
  read: ReadArtifact,
  { runId, outcome, files, cost }: EndedRun,
): Promise<RunResult> {
  const [citations, critique, manifest, ran] = await Promise.all([
    readReport(read, artifact.citations, citationReportSchema),
    readReport(read, artifact.critique, critiqueSchema),
    readReport(read, artifact.manifest, snippetManifestSchema),
    readReport(read, artifact.results, snippetResultsSchema),
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
    cost,
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
  if (result.cost !== null) lines.push(costText(result.cost));
  lines.push(`Run ${result.run_id} ${result.status.replaceAll("_", " ")}.`);
  return lines.join("\n");
}
