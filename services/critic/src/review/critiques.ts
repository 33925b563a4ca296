import type { Critique } from "@proofroom/contracts";
import type { BlockState } from "./code.ts";
import { isOver, isUnder } from "./revisions.ts";
import type { StructureDefect } from "./structure.ts";

/** Says in sentences what was measured, figures included. */
export function specificCritiques(
  measurements: Critique["measurements"],
  missingPoints: ReadonlyMap<string, readonly string[]>,
  blocks: readonly BlockState[],
  structure: readonly StructureDefect[],
): string[] {
  const { sections, citations, code, words } = measurements;
  const target = sections.reduce((sum, section) => sum + section.target, 0);
  const present = sections.filter((section) => section.present).length;
  const points = sections.reduce((sum, section) => sum + section.key_points, 0);
  const covered = sections.reduce((sum, section) => sum + section.key_points_covered, 0);
  const lines = [
    `The article has ${words} words in ${present} of ${count(sections.length, "section")}; the outline asks for ${target}.`,
    ...sections.flatMap(budgetLine),
    `${covered} of ${count(points, "key point")} are covered by supported sentences.`,
    ...sections.flatMap(({ section_id, title }) => {
      const missing = missingPoints.get(section_id) ?? [];
      return missing.length === 0 ? [] : [`“${title}” does not cover: ${missing.join("; ")}.`];
    }),
    `${measurements.distinct_sources} of ${count(measurements.sources_available, "source")} are cited with support.`,
    `Of ${count(citations.cited, "cited sentence")} ${citations.supported} are supported, ${citations.uncertain} uncertain, ` +
      `${citations.unsupported} unsupported and ${citations.unresolved} unresolved; ` +
      `${count(citations.uncited, "statement")} cite nothing.`,
    code.blocks === 0
      ? "The article has no code."
      : `Of ${count(code.blocks, "block")} of code ${code.passed} ran, ${code.failed} failed, ${code.invalid_syntax} have syntax ` +
        `errors, ${code.skipped} were skipped and ${code.not_run} not run.`,
    ...blocks.flatMap(({ state, line, detail }) =>
      state === "passed" ? [] : [`The block of code at line ${line}: ${detail}.`],
    ),
  ];
  if (measurements.repeated_sentences > 0) {
    lines.push(`${count(measurements.repeated_sentences, "sentence")} say again what an earlier one says.`);
  }
  return [...lines, ...structure.map(({ instruction }) => instruction)];
}

function budgetLine({
  title,
  present,
  words,
  target,
}: Critique["measurements"]["sections"][number]): string[] {
  if (!present) return [`The section “${title}” is missing.`];
  if (isOver(words, target)) return [`“${title}” has ${words} words, more than the ${target} it may have.`];
  return isUnder(words, target)
    ? [`“${title}” has ${words} words, fewer than the ${target} it should have.`]
    : [];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
