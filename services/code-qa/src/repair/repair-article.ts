import type { SnippetResult } from "@proofroom/contracts";
import { extractFences, type Fence, replaceFence } from "@proofroom/markdown";
import { checkMarkdown, type MarkdownCheck } from "../check.ts";
import type { CodeTools } from "../code-tools.ts";
import { snippetId } from "../snippet-name.ts";
import type { BrokenBlock } from "./propose-with-model.ts";
import { type RepairedCode, repairCode } from "./repair-code.ts";

interface RepairedArticle {
  markdown: string;
  /** The check of `markdown`. */
  check: MarkdownCheck;
  repaired: { snippet_id: string; repair: string }[];
  still_failing: { snippet_id: string; reason: string }[];
}

interface RepairOptions {
  tools: CodeTools;
  signal: AbortSignal;
  /** Asked for blocks that the known repairs do not mend; null where there is nobody to ask. */
  propose?: ((block: BrokenBlock) => Promise<string | null>) | undefined;
}

/** Blocks of an article that a model is asked about. */
const mostAsked = 5;

/**
 * Repairs the blocks that do not parse, has a model propose for what still fails, runs the whole article again, and keeps a repair only if its block then
 * passes (or could not be judged here) and no block that passed before has stopped doing so.
 *
 * @throws ProofroomError `cancelled`
 */
export async function repairArticle(markdown: string, options: RepairOptions): Promise<RepairedArticle> {
  const before = await checkMarkdown(markdown, { run: true, ...options });
  const repairs = await proposeRepairs(markdown, before, options);
  const known = await keepWhatHolds(markdown, before, repairs, { ...options, holds: isMended });
  const proposed = await askForRepairs(known, options);
  if (proposed.size === 0) return known;
  // A model could mend anything by a package that is not here.
  const holds = (result: SnippetResult | undefined) => result?.run === "passed";
  const kept = await keepWhatHolds(known.markdown, known.check, proposed, { ...options, holds });
  return { ...kept, repaired: [...known.repaired, ...kept.repaired] };
}

/** Runs the article with the repairs, and withdraws those that do not hold. */
async function keepWhatHolds(
  markdown: string,
  before: MarkdownCheck,
  repairs: ReadonlyMap<number, RepairedCode>,
  options: RepairOptions & { holds(result: SnippetResult | undefined): boolean },
): Promise<RepairedArticle> {
  let proposals = repairs;
  // Each turn but the last withdraws at least one repair.
  while (proposals.size > 0) {
    const mended = withRepairs(markdown, proposals);
    const after = await checkMarkdown(mended, { run: true, ...options });
    const refused = [...proposals.keys()].filter((index) => !options.holds(after.results[index - 1]));
    if (refused.length === 0 && !hasRegressed(before, after)) {
      return summary(mended, after, proposals);
    }
    // A regression cannot be blamed on one of several repairs, so the last one goes first.
    const withdrawn = refused.length > 0 ? refused : [...proposals.keys()].slice(-1);
    proposals = new Map([...proposals].filter(([index]) => !withdrawn.includes(index)));
  }
  return summary(markdown, before, proposals);
}

async function proposeRepairs(
  markdown: string,
  check: MarkdownCheck,
  { tools, signal }: { tools: CodeTools; signal: AbortSignal },
): Promise<Map<number, RepairedCode>> {
  const proposals = new Map<number, RepairedCode>();
  for (const fence of extractFences(markdown)) {
    const { language } = fence;
    const snippet = check.manifest.snippets[fence.index - 1];
    const result = check.results[fence.index - 1];
    if (language === null || fence.indented || snippet?.syntax !== "invalid") continue;
    if (result?.reason === "marked_no_run") continue;
    const repaired = await repairCode(language, fence.code, async (code) => {
      return (await tools.checkSyntax(language, code, signal)).syntax === "valid";
    });
    if (repaired !== null) proposals.set(fence.index, repaired);
  }
  return proposals;
}

async function askForRepairs(
  { markdown, check }: RepairedArticle,
  { propose }: RepairOptions,
): Promise<Map<number, RepairedCode>> {
  const proposals = new Map<number, RepairedCode>();
  if (propose === undefined) return proposals;
  for (const fence of extractFences(markdown)) {
    const result = check.results[fence.index - 1];
    const snippet = check.manifest.snippets[fence.index - 1];
    if (fence.language === null || fence.indented || result === undefined || !isFailing(result)) continue;
    if (proposals.size >= mostAsked) break;
    const error = [snippet?.syntax_error, result.stdout, result.stderr].filter(Boolean).join("\n");
    const code = await propose({ language: fence.language, code: fence.code, error });
    if (code !== null) proposals.set(fence.index, { code, done: ["a model's proposal, which ran"] });
  }
  return proposals;
}

function withRepairs(markdown: string, proposals: ReadonlyMap<number, RepairedCode>): string {
  let mended = markdown;
  for (const [index, { code }] of proposals) {
    // Numbers stay, places may move: a repair neither adds nor removes a block.
    const fence = extractFences(mended)[index - 1] as Fence;
    mended = replaceFence(mended, fence, { code });
  }
  return mended;
}

function isMended(result: SnippetResult | undefined): boolean {
  return result !== undefined && !isFailing(result);
}

/** Whether a block counts against the article. */
export function isFailing(result: SnippetResult): boolean {
  return result.run === "failed" || result.run === "timeout" || result.reason === "syntax_error";
}

function hasRegressed(before: MarkdownCheck, after: MarkdownCheck): boolean {
  return before.results.some((result, at) => result.run === "passed" && after.results[at]?.run !== "passed");
}

function summary(
  markdown: string,
  check: MarkdownCheck,
  kept: ReadonlyMap<number, RepairedCode>,
): RepairedArticle {
  const invalidData = check.manifest.snippets.filter((snippet) => snippet.syntax === "invalid");
  const failing = check.results.filter(
    (result) =>
      isFailing(result) ||
      (result.reason === "not_runnable" && invalidData.some((snippet) => snippet.index === result.index)),
  );
  return {
    markdown,
    check,
    repaired: [...kept].map(([index, { done }]) => ({
      snippet_id: snippetId(index),
      repair: done.join("; "),
    })),
    still_failing: failing.map((result) => ({
      snippet_id: result.snippet_id,
      reason: result.reason === "not_runnable" ? "syntax_error" : (result.reason ?? result.run),
    })),
  };
}
