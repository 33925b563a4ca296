import {
  artifact,
  type Source,
  sourceIndexSchema,
  sourceSchema,
  type verifyCitations as verifyCitationsCapability,
} from "@proofroom/contracts";
import { verifyArticle } from "@proofroom/evidence";
import type { Handler } from "@proofroom/runtime";

/** Checks every citation of article.md against the stored sources and writes `.nova/citations.json`. */
export const verifyCitations: Handler<typeof verifyCitationsCapability> = async (_input, context) => {
  const { artifacts, signal } = context;
  const article = await artifacts.readText(artifact.article);
  const index = await artifacts.readJson(artifact.sources, sourceIndexSchema);
  const corpus = new Map<string, Source>();
  for (const [at, { id, artifact: name }] of index.sources.entries()) {
    signal.throwIfAborted();
    const source = await artifacts.tryReadJson(name, sourceSchema);
    if (source !== null) corpus.set(id, source);
    context.progress({ done: at + 1, total: index.sources.length });
  }
  signal.throwIfAborted();
  const report = verifyArticle({ article, index, corpus });
  await artifacts.writeJson(artifact.citations, report);
  return { ...report.summary, article_sha256: report.article_sha256, artifact: artifact.citations };
};
