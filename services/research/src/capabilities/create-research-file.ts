import {
  artifact,
  attributionSchema,
  type createResearchFile,
  type Failure,
  ProofroomError,
  sourceSchema,
} from "@proofroom/contracts";
import type { Handler } from "@proofroom/runtime";
import { readGathered, type SourceFacts, sourceIndex } from "./corpus-index.ts";
import { joinWorks } from "./join-works.ts";
import { researchMarkdown, sourceDetails } from "./research-markdown.ts";

/** Text repeated in research.md, in characters of all sources together: the file must remain one that opens. */
const mostText = 32_000_000;

/** Gives the gathered sources their ids and writes the index and research.md. */
export const handleCreateResearchFile: Handler<typeof createResearchFile> = async (_input, context) => {
  const corpus = await joinWorks(await readGathered(context.artifacts), context);
  if (corpus.entries.length === 0) throw noEvidence(corpus.failures);
  const factsOf = new Map<string, SourceFacts>();
  const details = new Map<string, string>();
  let room = mostText;
  for (const entry of corpus.entries) {
    context.signal.throwIfAborted();
    const { author, source: listed } = entry;
    const read = await context.artifacts.readJson(listed.artifact, sourceSchema);
    const source = author === undefined ? read : { ...read, provenance: { author, ...read.provenance } };
    const keepText = source.text.length <= room;
    if (keepText) room -= source.text.length;
    details.set(entry.id, sourceDetails(entry, source, keepText));
    factsOf.set(entry.id, { words: wordsIn(source.text), ...attributionSchema.parse(source.provenance) });
    context.progress({ done: details.size, total: corpus.entries.length });
  }
  await context.artifacts.writeText(artifact.research, researchMarkdown(corpus, factsOf, details));
  await context.artifacts.writeJson(artifact.sources, sourceIndex(corpus, factsOf));
  return {
    sources: corpus.entries.length,
    failures: corpus.failures.length,
    words: [...factsOf.values()].reduce((sum, { words }) => sum + words, 0),
    artifact: artifact.research,
  };
};

/** Stretches between white space that hold a letter or a digit, code included. */
function wordsIn(text: string): number {
  let words = 0;
  for (const [token] of text.matchAll(/\S+/g)) if (/[\p{L}\p{N}]/u.test(token)) words += 1;
  return words;
}

/** As in `8 unreachable, 3 not found`, the most frequent first. */
function countsByReason(failures: readonly Failure[]): string {
  const counts = new Map<string, number>();
  for (const { code } of failures) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([code, count]) => `${count} ${code.replaceAll("_", " ")}`)
    .join(", ");
}

function noEvidence(failures: readonly Failure[]): ProofroomError {
  const asked = failures.length === 1 ? "the only source" : `all ${failures.length} sources`;
  return new ProofroomError({
    code: "no_evidence",
    message:
      failures.length === 0
        ? "No evidence was gathered: the guideline names no source, and none was searched for."
        : `No evidence was gathered: ${asked} failed (${countsByReason(failures)}).`,
    remedy: "Add sources to the guideline that can be read, as links or as local files.",
  });
}
