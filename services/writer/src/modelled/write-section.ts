import { readFileSync } from "node:fs";
import type { Outline, OutlineSection, RequiredRevision, SourceIndex } from "@proofroom/contracts";
import { disarmed, Flawed, type Models, waitingText } from "@proofroom/models";
import type { StepContext } from "@proofroom/runtime";
import type { EvidenceBase } from "../extractive/evidence-base.ts";
import { addressesIn } from "./addresses.ts";
import { codeIn } from "./code-in-evidence.ts";
import { excerptsFor } from "./excerpts.ts";
import { readSection } from "./read-section.ts";
import { sourceReader } from "./source-reader.ts";

/** Room for an answer: words are about one and a half tokens, and models think. */
const tokensPerWord = 4;
const tokensBeside = 2_048;

/** So much is told of why an answer was refused, in characters. */
const reasonShown = 300;

export interface SectionTask {
  outline: Outline;
  section: OutlineSection;
  base: EvidenceBase;
  index: SourceIndex;
  /** Of a section that is there: its text, citing by id, and what is to be mended in it. */
  revise?: { text: string; revisions: readonly RequiredRevision[] };
}

interface WrittenSection {
  /** `## Title` and the body, citing by source id. */
  markdown: string;
  /** The model that wrote it. */
  by: string;
}

/** That models were asked, and none of their answers could be used. */
export interface NotWritten {
  reason: string;
}

/** Writes sections with a model; null where none is configured, or where there is no evidence to write from. */
export type SectionWriter = (
  task: SectionTask,
  context: StepContext,
) => Promise<WrittenSection | NotWritten | null>;

/** @throws ProofroomError what asking a model throws */
export function createSectionWriter(models: Models): SectionWriter {
  const system = readFileSync(new URL("../prompts/write-section.md", import.meta.url), "utf8");
  return async (task, context) => {
    const { section, index, outline, base } = task;
    const { text, sourceIds } = excerptsFor(section, outline.title, base);
    if (sourceIds.size === 0) return null;
    const rules = {
      section,
      sourceIds,
      index,
      sourceOf: sourceReader(context, index),
      isKnown: addressesIn(base),
      hasCode: codeIn(base),
      ...(task.revise === undefined ? {} : { before: task.revise.text }),
      signal: context.signal,
    };
    const { runId, stepId, generation, signal } = context;
    let flaw: string | null = null;
    const answer = await models.ask({
      role: "drafter",
      // Then the evidence speaks for itself, and the article says so.
      optional: true,
      asker: { runId, stepId, generation },
      request: {
        system,
        parts: [
          { kind: "text", text: `<evidence>\n${text}\n</evidence>` },
          { kind: "text", text: taskText(task) },
        ],
        maxTokens: section.target_word_count * tokensPerWord + tokensBeside,
      },
      expected: {
        kind: "text",
        async parse(markdown) {
          const read = await readSection(markdown, rules);
          if (read instanceof Flawed) flaw = read.hint;
          return read;
        },
      },
      onWait: (...wait) => context.progress({ done: 0, message: waitingText(...wait) }),
      signal,
    });
    if ("value" in answer) return { markdown: answer.value, by: answer.by };
    return answer.useless === true ? { reason: reasonOf(flaw) } : null;
  };
}

function reasonOf(flaw: string | null): string {
  return flaw === null
    ? "No model gave an answer."
    : `The last answer was refused: ${flaw.slice(0, reasonShown)}`;
}

function taskText({ outline, section, revise }: SectionTask): string {
  const lines = [
    `The article: ${outline.title}`,
    `Its readers: ${outline.target_audience}`,
    `Its sections: ${outline.sections.map(({ title }) => title).join("; ")}`,
    "",
    `Write the section: ${section.title}`,
    `About ${section.target_word_count} words.`,
    section.include_code ? "With code." : "Without code.",
    ...(section.key_points.length === 0
      ? []
      : ["Key points:", ...section.key_points.map((point) => `- ${point}`)]),
  ];
  if (revise === undefined) return lines.join("\n");
  return [
    ...lines,
    "",
    "The section as it stands:",
    "<section>",
    disarmed(revise.text.trim()),
    "</section>",
    "",
    "Mend exactly this and leave what is good as it is:",
    ...revise.revisions.map(
      ({ instruction, target }) =>
        `- ${disarmed(`${instruction}${target === undefined ? "" : ` It is about: ${target}`}`.replace(/\s+/g, " "))}`,
    ),
  ].join("\n");
}
