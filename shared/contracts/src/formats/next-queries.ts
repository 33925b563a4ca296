import { z } from "zod";

/** `.nova/next_queries.json`: what to search the web for next, and why; in the reference system's shape. */
export const nextQueriesSchema = z.object({
  queries: z
    .array(
      z.object({ question: z.string().trim().min(1).max(2_000), reason: z.string().max(2_000) }).strict(),
    )
    .min(1)
    .max(20),
});
export type NextQueries = z.infer<typeof nextQueriesSchema>;

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** `.nova/next_queries.md`: the same for people, as the reference system writes it. */
export function nextQueriesText({ queries }: NextQueries): string {
  const items = queries.map(
    ({ question, reason }, at) => `${at + 1}. ${onOneLine(question)}\nReason: ${onOneLine(reason)}\n`,
  );
  return `### Candidate Web-Search Queries\n\n${items.join("\n")}`;
}
