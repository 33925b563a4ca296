import { readFileSync } from "node:fs";
import { isProofroomError, type Source, type Span, toProofroomError } from "@proofroom/contracts";
import { makeSource, spansOfMarkdown } from "@proofroom/evidence";
import { disarmed, type Models, waitingText } from "@proofroom/models";
import type { StepContext } from "@proofroom/runtime";
import { z } from "zod";

/** Longer pages stay as they are, in characters; of each passage so much is shown. */
const longestPage = 200_000;
const passageBudget = 160;
/** A model that wants more of a page out than this has not understood it. */
const mostDropped = 0.6;

const dropSchema = z.object({ drop: z.array(z.int().positive()).max(2_000) });

/** Takes out of a page what is not its content. */
export type CleanPage = (source: Source, context: StepContext) => Promise<Source>;

/**
 * Has a model name the passages of a page that are no content, and takes those out: what is left is the page's own text,
 * word for word. A page that is too long stays as it is, as does one where no model is configured or none gives an answer that can
 * be used, and its note says why. What is no page, as a PDF, is not looked at.
 * @throws ProofroomError what says that the work must wait: limits, a budget, a cancellation
 */
export function createCleanPage(models: Models): CleanPage {
  const system = readFileSync(new URL("../../prompts/clean-page.md", import.meta.url), "utf8");
  return async (source, context) => {
    const { text, spans, provenance } = source;
    if (provenance.media_type !== "text/html") return source;
    if (text.length > longestPage) return uncleaned(source, `it has more than ${longestPage} characters.`);
    const { runId, stepId, generation, signal } = context;
    const passages = spans.map((span, at) => `[${at + 1}] ${shown(text, span)}`);
    const answer = await models
      .ask({
        role: "cleaner",
        asker: { runId, stepId, generation },
        request: {
          system,
          parts: [{ kind: "text", text: `<page>\n${disarmed(passages.join("\n"))}\n</page>` }],
          maxTokens: 4_096,
        },
        expected: { kind: "json", schema: dropSchema, check: ({ drop }) => flawOf(drop, spans) },
        onWait: (...wait) => context.progress({ done: 0, message: waitingText(...wait) }),
        signal,
      })
      .catch((error: unknown) => {
        signal.throwIfAborted();
        if (isProofroomError(error) && (error.disposition.kind === "wait" || error.code === "budget"))
          throw error;
        const failure = toProofroomError(error);
        context.log.warn({ code: failure.code }, "the page was not cleaned");
        return failure;
      });
    if (isProofroomError(answer)) return uncleaned(source, answer.message);
    if (!("value" in answer)) return uncleaned(source, "no model that can be the cleaner is configured.");
    return without(source, new Set(answer.value.drop));
  };
}

/** The page as it is, with a word on why, as a person asked for its cleaning. */
function uncleaned(source: Source, why: string): Source {
  const { note, ...provenance } = source.provenance;
  const notes = [...(note === undefined ? [] : [note]), `The page was not cleaned: ${why}`];
  return { ...source, provenance: { ...provenance, note: notes.join(" ") } };
}

function shown(text: string, { start, end }: Span): string {
  return text.slice(start, end).replace(/\s+/g, " ").slice(0, passageBudget);
}

function flawOf(drop: readonly number[], spans: readonly Span[]): string | null {
  const unknown = drop.filter((number) => number > spans.length);
  if (unknown.length > 0) return `${unknown.slice(0, 5).join(", ")} is not in the list.`;
  const size = (some: readonly Span[]) => some.reduce((sum, { start, end }) => sum + end - start, 0);
  const dropped = size(spans.filter((_span, at) => drop.includes(at + 1)));
  return dropped > size(spans) * mostDropped
    ? "It takes out most of the page: name only what is no content."
    : null;
}

function without(source: Source, drop: ReadonlySet<number>): Source {
  if (drop.size === 0) return source;
  let text = "";
  let kept = 0;
  source.spans.forEach(({ start, end }, at) => {
    if (!drop.has(at + 1)) return;
    text += source.text.slice(kept, start);
    kept = end;
  });
  text = `${(text + source.text.slice(kept)).replace(/\n{3,}/g, "\n\n").trim()}\n`;
  const { v: _v, sha256: _sha256, ...parts } = source;
  const passages = drop.size === 1 ? "a passage" : `${drop.size} passages`;
  return makeSource({
    ...parts,
    text,
    spans: spansOfMarkdown(text),
    provenance: {
      ...parts.provenance,
      omissions: [...parts.provenance.omissions, `${passages} that a model took for no content`],
    },
  });
}
