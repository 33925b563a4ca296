import type { Candidate } from "./candidates.ts";

const blanks = "[^\\S\\n\\r\\u2028\\u2029]*";
/** Before a line that the format would take for its own. */
const structural = new RegExp(
  `^(?=${blanks}(?:-{5,}${blanks}$|#{1,6}${blanks}Source${blanks}\\[|(?:Query|Answer):))`,
  "gimu",
);

/**
 * `.nova/perplexity_results.md`, for people and for tools that know the format of blocks: `### Source [n]: ADDRESS`,
 * `Query:`, `Answer:`, and a line of five dashes. The format escapes nothing, so lines of an answer that would end
 * its block or begin another are set apart by a backslash, which Markdown does not show.
 */
export function resultsMarkdown(
  candidates: readonly Pick<Candidate, "number" | "ref" | "queries" | "text">[],
): string {
  return candidates
    .map(({ number, ref, queries, text }) =>
      [
        `### Source [${number}]: ${ref}`,
        queries.map((query) => `Query: ${query.replace(/\s+/g, " ")}`).join("\n"),
        `Answer: ${text.replace(structural, "\\")}`,
        "-----",
      ].join("\n\n"),
    )
    .map((block) => `${block}\n`)
    .join("\n");
}
