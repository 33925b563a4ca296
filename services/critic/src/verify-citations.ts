import {
  artifact,
  sourceIndexSchema,
  sourceSchema,
  type verifyCitations as verifyCitationsCapability,
} from "@proofroom/contracts";
import { verifyArticle } from "@proofroom/evidence";
import type { Handler } from "@proofroom/runtime";
import type { Counter } from "@proofroom/telemetry";

/** What becomes of cited sentences. */
const counted = ["supported", "uncertain", "unsupported", "unresolved"] as const;

/**
 * Checks every citation of article.md against the stored sources and writes `.nova/citations.json`.
 * @param verdicts counts what became of the cited sentences
 */
export function createVerifyCitations(
  verdicts?: Pick<Counter, "add">,
): Handler<typeof verifyCitationsCapability> {
  return async (_input, context) => {
    const { artifacts, signal } = context;
    const article = await artifacts.readText(artifact.article);
    const index = await artifacts.readJson(artifact.sources, sourceIndexSchema);
    const names = new Map(index.sources.map((source) => [source.id, source.artifact]));
    const corpus = {
      async get(id: string) {
        const name = names.get(id);
        return name === undefined
          ? undefined
          : ((await artifacts.tryReadJson(name, sourceSchema)) ?? undefined);
      },
    };
    const report = await verifyArticle({ article, index, corpus, signal });
    await artifacts.writeJson(artifact.citations, report);
    for (const verdict of counted) verdicts?.add({ of: "citation", verdict }, report.summary[verdict]);
    return { ...report.summary, article_sha256: report.article_sha256, artifact: artifact.citations };
  };
}
