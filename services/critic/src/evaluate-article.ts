import {
  artifact,
  citationReportSchema,
  type criticEvaluateArticle,
  type OutputOf,
  outlineSchema,
  runManifestSchema,
  runOptionsSchema,
  snippetManifestSchema,
  snippetResultsSchema,
  sourceIndexSchema,
} from "@proofroom/contracts";
import type { Handler, StepContext } from "@proofroom/runtime";
import type { Counter } from "@proofroom/telemetry";
import type { Judge } from "./judge/ask-judge.ts";
import { withJudgement } from "./judge/with-judgement.ts";
import { assertFresh } from "./review/fresh.ts";
import { reviewArticle } from "./review/review-article.ts";

const runManifest = ".nova/run.json";
/** Blocking defects named in the answer, which must stay small; the artifact has all of them. */
const blockingShown = 10;

/**
 * Measures article.md, has a model judge what cannot be measured where one is configured, and writes `.nova/critic_evaluation.json`. Code that was not extracted or not run counts as
 * not measured; reports on another version of the article are refused.
 * @param verdicts counts the verdicts
 * @throws ProofroomError invalid_input where citations.json is missing, or a report is not of this article
 */
export function createEvaluateArticle(
  judge: Judge,
  verdicts?: Pick<Counter, "add">,
): Handler<typeof criticEvaluateArticle> {
  return async (_input, context) => {
    const output = await evaluateArticle(context, judge);
    verdicts?.add({ of: "article", verdict: output.status });
    return output;
  };
}

async function evaluateArticle(
  context: StepContext,
  judge: Judge,
): Promise<OutputOf<typeof criticEvaluateArticle>> {
  const { artifacts } = context;
  const article = await artifacts.readText(artifact.article);
  const outline = await artifacts.readJson(artifact.outline, outlineSchema);
  const index = await artifacts.tryReadJson(artifact.sources, sourceIndexSchema);
  const citations = await artifacts.tryReadJson(artifact.citations, citationReportSchema);
  const manifest = await artifacts.tryReadJson(artifact.manifest, snippetManifestSchema);
  const results = await artifacts.tryReadJson(artifact.results, snippetResultsSchema);
  const run = await artifacts.tryReadJson(runManifest, runManifestSchema);
  const fresh = assertFresh({ article, citations, manifest, results });
  const options = run?.options ?? runOptionsSchema.parse({});
  const measured = reviewArticle({
    article,
    outline,
    sourcesAvailable: index?.sources.length ?? 0,
    citations: fresh.citations,
    manifest,
    results: fresh.results,
    options,
  });
  const judged = await judge({ article, outline }, context);
  const critique =
    judged !== null && "judgement" in judged ? withJudgement(measured, judged, options) : measured;
  await artifacts.writeJson(artifact.critique, critique);
  const blocking = critique.required_revisions.filter((revision) => revision.blocking);
  return {
    status: critique.status,
    overall_score: critique.overall_score,
    category_scores: critique.category_scores,
    blocking: [...new Set(blocking.map(({ kind, section }) => `${kind}: ${section}`))].slice(
      0,
      blockingShown,
    ),
    required_revisions: critique.required_revisions.length,
    article_sha256: critique.article_sha256,
    ...(judged !== null && "reason" in judged ? { reason: judged.reason } : {}),
    artifact: artifact.critique,
  };
}
