import type { Citation } from "@proofroom/contracts";
import { terms } from "@proofroom/evidence";

/** What an outline tells the writer to do, and not what the text will say. */
const instructions: ReadonlySet<string> = new Set(
  terms(
    "explain describe discuss show introduce cover compare mention give list include example overview introduction " +
      "section define outline summarise summarize present walk highlight reader detail key point",
  ),
);

/**
 * The key points of a section that its supported, cited sentences do not cover. A point is covered when one
 * sentence has half of its content words, or all sentences together have three quarters.
 */
export function missingKeyPoints(keyPoints: readonly string[], citations: readonly Citation[]): string[] {
  const sentences = citations
    .filter(({ verdict }) => verdict === "supported")
    .map(({ sentence }) => new Set(terms(sentence)));
  const together = sentences.reduce((all, each) => all.union(each), new Set<string>());
  return keyPoints.filter((point) => {
    const all = new Set(terms(point));
    const content = all.difference(instructions);
    const wanted = content.size > 0 ? content : all;
    if (wanted.size === 0) return sentences.length === 0;
    const share = (present: ReadonlySet<string>) => wanted.intersection(present).size / wanted.size;
    return share(together) < 0.75 && !sentences.some((sentence) => share(sentence) >= 0.5);
  });
}
