import {
  type Capability,
  findCapability,
  gatherOutputSchema,
  guidelineReferencesSchema,
  type StepRecord,
} from "@proofroom/contracts";
import { z } from "zod";

type Output = Record<string, unknown>;

function plural(n: unknown, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** A round can change the text and settle no revision: what was added was not all that was asked for. */
function roundOf({ changed, revisions_applied: applied }: Output): string {
  if (changed !== true) return "nothing to change";
  return Number(applied) === 0 ? "changed, no revision settled" : `${plural(applied, "revision")} applied`;
}

/** What a person wants to know of a capability's output, in a few words. */
const words: Readonly<Record<string, (output: Output) => string>> = {
  extract_guidelines_urls(o) {
    const kinds: [string, unknown][] = [
      ["local", o["local_file_paths"]],
      ["web", o["other_urls"]],
      ["git", Number(o["github_urls"]) + Number(o["git_urls"])],
      ["video", o["youtube_videos_urls"]],
      ["refused", (o["rejected"] as unknown[]).length],
    ];
    const named = kinds.filter(([, n]) => Number(n) > 0).map(([kind, n]) => `${n} ${kind}`);
    return named.length === 0 ? "no sources" : named.join(", ");
  },
  create_research_file: (o) =>
    `${plural(o["sources"], "source")}, ${o["words"]} words${Number(o["failures"]) > 0 ? `, ${o["failures"]} not available` : ""}`,
  generate_article_outline: (o) => plural((o["sections"] as unknown[]).length, "section"),
  draft_article_section: (o) =>
    `${o["section_id"]}, ${o["words"]} words, ${plural(o["citations"], "citation")}`,
  refine_and_save_article: (o) =>
    o["round"] === 0
      ? `${o["words"]} words, ${plural(o["references"], "reference")}`
      : `round ${o["round"]}: ${roundOf(o)}`,
  critic_evaluate_article: (o) => `${o["status"]}, ${o["overall_score"]} of 100`,
  verify_citations: (o) => `${o["supported"]} of ${o["cited"]} cited sentences supported`,
  extract_and_validate_code: (o) =>
    `${plural(o["total_snippets"], "block")}${Number(o["invalid_syntax_count"]) > 0 ? `, ${o["invalid_syntax_count"]} invalid` : ""}`,
  execute_sandbox_tests: (o) =>
    `${o["passed"]} passed, ${o["failed"]} failed, ${Number(o["skipped"]) + Number(o["not_run"])} not run (${o["sandbox"]})`,
  fix_code_snippets: (o) =>
    `${(o["repaired"] as unknown[]).length} repaired, ${(o["still_failing"] as unknown[]).length} still failing`,
  export_publication_bundle: (o) => `${o["status"]}, ${Math.round(Number(o["bytes"]) / 1024)} KB`,
};

export function titleOf(stepId: string): {
  capability: Capability | undefined;
  service: string;
  title: string;
} {
  const capability = findCapability(stepId.replace(/-[0-9a-f]{16}$/, ""));
  return { capability, service: capability?.owner ?? "", title: capability?.title ?? stepId };
}

export function summaryOf(record: Pick<StepRecord, "capability" | "output">): string {
  const gathered = gatherOutputSchema.safeParse(record.output);
  if (gathered.success) {
    const { gathered: had, requested, from_cache: cached = 0, failed } = gathered.data;
    return `${had} of ${requested}${cached > 0 ? `, ${cached} from the cache` : ""}${failed > 0 ? `, ${failed} failed` : ""}`;
  }
  return words[record.capability]?.(record.output) ?? "";
}

const refusalsSchema = z.object({ rejected: guidelineReferencesSchema.shape.rejected.unwrap() });

/** The sources that a step refused or could not get, a line each. */
export function failureLines(record: Pick<StepRecord, "output">): string[] {
  const refused = refusalsSchema.safeParse(record.output);
  if (refused.success) return refused.data.rejected.map(({ ref, reason }) => `${ref}: refused (${reason})`);
  const gathered = gatherOutputSchema.safeParse(record.output);
  if (!gathered.success) return [];
  const { failures, failed } = gathered.data;
  const lines = failures.map(({ ref, code, message }) => `${ref}: ${message} (${code})`);
  return failed > failures.length ? [...lines, `… and ${failed - failures.length} more`] : lines;
}

/** What is to be known of what a step was asked for and is no failure, a line each. */
export function noteLines(record: Pick<StepRecord, "output">): string[] {
  const gathered = gatherOutputSchema.safeParse(record.output);
  const notes = gathered.success ? (gathered.data.notes ?? []) : [];
  return notes.map(({ ref, message }) => `${ref}: ${message}`);
}
