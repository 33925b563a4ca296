import { readFileSync } from "node:fs";
import { disarmed, Flawed, type Models, onlyFence, rearmed, waitingText } from "@proofroom/models";
import type { StepContext } from "@proofroom/runtime";

/** A block of code that does not run, and what is known of it. */
export interface BrokenBlock {
  language: string;
  code: string;
  /** What the interpreter or the parser said. */
  error: string;
}

/** Proposes other code for a block; null where no model is configured, or none has a proposal. */
export type ProposeRepair = (block: BrokenBlock, context: StepContext) => Promise<string | null>;

/** What is told of an error, and room for an answer: in characters, and in tokens beside the code's own. */
const errorShown = 4_000;
const tokensBeside = 2_048;

/** Of a block's lines so many must be left, of a short one's words, or it is another block; and so many lines in all. */
const kept = 0.4;
const length = 0.7;
/** A block may grow to so many times its lines and so many more: beyond that a model was caught in a loop. */
const mostGrowth = { times: 2, lines: 10 };

function isSameBlock(before: string, after: string): boolean {
  const own = linesOf(before);
  if (linesOf(after).length > own.length * mostGrowth.times + mostGrowth.lines) return false;
  if (own.length < 3) return share(wordsOf(before), wordsOf(after)) >= kept;
  const now = linesOf(after);
  return share(own, now) >= kept && now.length >= own.length * length;
}

function share(own: readonly string[], now: readonly string[]): number {
  const left = new Set(now);
  return own.filter((one) => left.has(one)).length / Math.max(own.length, 1);
}

function linesOf(code: string): string[] {
  return code
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function wordsOf(code: string): string[] {
  return code.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** By which a block passes whatever goes wrong in it, or is not run at all. */
const hiding =
  /\bexcept\b|\bcatch\b|\bsuppress\b|\|\|\s*(?:true|:)|\bset \+e\b|\btrap\b|\b(?:os\._|sys\.|process\.)?exit\b|\bif (?:False|0)\b|\bif \(?false\b|#\s*doctest:|no[-_ ]?run|\/dev\/null/gi;

/** Whether a proposal has more of that than the block had. */
function hidesMore(before: string, after: string): boolean {
  const count = (code: string) => code.match(hiding)?.length ?? 0;
  const comments = new Set(linesOf(after).flatMap((line) => /^(?:#|\/\/|--)\s*(.*)$/.exec(line)?.[1] ?? []));
  return count(after) > count(before) || linesOf(before).some((line) => comments.has(line));
}

/** @throws ProofroomError what asking a model throws */
export function createRepairProposer(models: Models): ProposeRepair {
  const system = readFileSync(new URL("../prompts/repair-code.md", import.meta.url), "utf8");
  return async ({ language, code, error }, context) => {
    const { runId, stepId, generation, signal } = context;
    const answer = await models.ask({
      role: "repairer",
      // Then the block stays as it is, and the article says so.
      optional: true,
      asker: { runId, stepId, generation },
      request: {
        system,
        parts: [
          { kind: "text", text: `Language: ${language}\n<code>\n${disarmed(code)}\n</code>` },
          { kind: "text", text: `<error>\n${disarmed(error.slice(-errorShown))}\n</error>` },
        ],
        maxTokens: Math.ceil(code.length / 2) + tokensBeside,
      },
      expected: {
        kind: "text",
        parse(text) {
          const repaired = onlyFence(rearmed(text));
          if (repaired === null) return new Flawed("unfit", "It was not one fenced block of code.");
          if (repaired.trim() === code.trim()) return new Flawed("unfit", "It was the same code again.");
          if (hidesMore(code, repaired))
            return new Flawed("unfit", "It hides the error: mend its cause, and let errors show.");
          return isSameBlock(code, repaired)
            ? repaired
            : new Flawed("unfit", "It was other code: change as little as possible.");
        },
      },
      onWait: (...wait) => context.progress({ done: 0, message: waitingText(...wait) }),
      signal,
    });
    return "value" in answer ? answer.value : null;
  };
}
