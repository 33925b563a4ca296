import type { Locator } from "@proofroom/contracts";
import type { Corpus, CorpusSource } from "../corpus/load-corpus.ts";

/** A code span of a source with the prose that stands around it. */
export interface CodeBlock {
  readonly sourceId: string;
  readonly start: number;
  readonly end: number;
  /** Without fence. */
  readonly code: string;
  /** As a fence names it, lower case; null where unknown. */
  readonly language: string | null;
  readonly locator: Locator;
  /** Up to 500 characters of the prose before, and 200 of that after it. */
  readonly before: string;
  readonly after: string;
}

/** Longer spans are whole files: nothing to print in an article. */
const longest = 8_000;

export function* codeBlocks(corpus: Corpus): Generator<CodeBlock> {
  for (const source of corpus.sources) yield* blocksOf(source);
}

function* blocksOf(source: CorpusSource): Generator<CodeBlock> {
  for (const [index, span] of source.spans.entries()) {
    if (span.kind !== "code" || span.end - span.start > longest) continue;
    const { code, language } = unfence(source.text.slice(span.start, span.end));
    if (code.trim() === "") continue;
    const previous = source.spans[index - 1];
    const following = source.spans[index + 1];
    yield {
      sourceId: source.id,
      start: span.start,
      end: span.end,
      code,
      language: (span.language ?? language)?.toLowerCase() ?? null,
      locator: span.locator,
      before:
        previous?.kind === "prose"
          ? source.text.slice(Math.max(previous.start, previous.end - 500), previous.end)
          : "",
      after:
        following?.kind === "prose"
          ? source.text.slice(following.start, Math.min(following.end, following.start + 200))
          : "",
    };
  }
}

function unfence(text: string): { code: string; language: string | null } {
  const lines = text.replace(/^\n+|\s+$/g, "").split("\n");
  const opening = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/.exec(lines[0] ?? "");
  if (opening === null) return { code: lines.join("\n"), language: null };
  const closed =
    lines.length > 1 &&
    lines
      .at(-1)
      ?.trim()
      .startsWith(opening[1] ?? "```");
  return {
    code: lines.slice(1, closed ? -1 : undefined).join("\n"),
    language: opening[2] === "" || opening[2] === undefined ? null : opening[2],
  };
}
