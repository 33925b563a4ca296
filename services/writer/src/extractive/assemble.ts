import type { Outline, SourceIndex } from "@proofroom/contracts";
import { numberCitations, renderReferences } from "@proofroom/evidence";
import { compositionNotes } from "@proofroom/runtime/records";
import { contentsOf } from "../refine/frame.ts";
import type { Placed } from "./plan-article.ts";
import { citedText, escapeText } from "./section-markdown.ts";

/**
 * Puts an article together: title, note, summary, contents, sections, references. Sections cite by source id.
 * @throws ProofroomError invalid_input where a section cites an id that the index does not have
 */
export function assembleArticle(
  outline: Outline,
  sections: readonly string[],
  summary: readonly Placed[],
  index: SourceIndex,
  how: "extractive" | "modelled",
): string {
  const note = `> [!NOTE]\n> ${compositionNotes[how].plain}`;
  const front = [`# ${escapeText(outline.title)}`, escapeText(outline.subtitle), note].filter(
    (part) => part !== "",
  );
  const opening = summary.length === 0 ? [] : [`## Executive Summary\n\n${summary.map(citedText).join(" ")}`];
  const drafted = sections.map((section, at) =>
    withHeading(section.trim(), outline.sections[at]?.title ?? ""),
  );
  const body = [...opening, ...drafted].join("\n\n");
  const { markdown, references } = numberCitations(body, index);
  const list = references.length === 0 ? [] : [`## References\n\n${renderReferences(references).trim()}`];
  const cut = opening.length === 0 ? 0 : firstSectionAt(markdown);
  const whole = [...front, markdown, ...list].join("\n\n");
  const contents = `## Table of Contents\n\n${contentsOf(whole)}`;
  const parts = [...front, markdown.slice(0, cut).trim(), contents, markdown.slice(cut).trim(), ...list];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Behind the summary, which is one paragraph. */
function firstSectionAt(markdown: string): number {
  const at = markdown.indexOf("\n\n", markdown.indexOf("\n\n") + 2);
  return at === -1 ? markdown.length : at;
}

/** A draft that a person has rewritten may have lost its heading. */
function withHeading(section: string, title: string): string {
  return /^##\s/.test(section) ? section : `## ${escapeText(title)}\n\n${section}`;
}
