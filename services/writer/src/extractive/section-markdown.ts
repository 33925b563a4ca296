import type { Corpus } from "@proofroom/evidence";
import type { ChosenCode } from "./choose-code.ts";
import type { Placed, SectionPlan } from "./plan-article.ts";

/** Paragraphs grow to about this many words before the next one begins. */
const paragraphWords = 90;
/** A paragraph of fewer is joined with its neighbour. */
const shortParagraph = 30;
/** How close to a section's title a sentence must be to open the section. */
const opening = 0.5;

/** A section of the article: `## Title`, its cited paragraphs and its code. Cites by source id. */
export function sectionMarkdown(plan: SectionPlan, corpus: Corpus): string {
  const blocks = sectionBlocks(plan, corpus);
  return `## ${escapeText(plan.section.title)}\n\n${blocks.join("\n\n")}\n`;
}

/** The blocks below the heading. Where nothing was found, the one sentence that says so. */
export function sectionBlocks(plan: SectionPlan, corpus: Corpus): string[] {
  const paragraphs = paragraphsOf(plan.placed);
  const blocks: { text: string; sourceIds: ReadonlySet<string> }[] = paragraphs.map((placed) => ({
    text: placed.map(citedText).join(" "),
    sourceIds: new Set(placed.map(({ unit }) => unit.sourceId)),
  }));
  if (blocks.length === 0 && plan.code.length === 0) return [notice(plan)];
  for (const code of plan.code) {
    const after = blocks.findLastIndex(({ sourceIds }) => sourceIds.has(code.sourceId));
    const at = after === -1 ? blocks.length : after + 1;
    blocks.splice(at, 0, { text: codeMarkdown(code, corpus), sourceIds: new Set() });
  }
  return blocks.map(({ text }) => text);
}

/** Sentences with their markers: each is followed by the id of the source that it was taken from. */
export function citedText({ sentences, unit }: Placed): string {
  return sentences.map(({ text }) => `${text} [${unit.sourceId}]`).join(" ");
}

const nothing = "The gathered sources say nothing about";

function notice({ section, hasEvidence }: SectionPlan): string {
  return noticeOf(escapeText(section.title), hasEvidence ? " that fits the length of this section" : "");
}

/** The sentence of a section for which there is nothing. The title as it stands in its heading. */
export function noticeOf(title: string, reason = ""): string {
  return `${nothing} ${title.replace(/[.!?:]+$/, "")}${reason}.`;
}

export function isNotice(sentence: string): boolean {
  return sentence.startsWith(nothing);
}

function codeMarkdown({ sourceId, language, code }: ChosenCode, corpus: Corpus): string {
  const title = escapeText(corpus.byId.get(sourceId)?.title ?? sourceId);
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `From ${title} [${sourceId}]:\n\n${fence}${language}\n${code}\n${fence}`;
}

/** A title stands in running text, whatever characters are in it. */
export function escapeText(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<>$~&]/g, "\\$&");
}

/**
 * Groups units into paragraphs: by the key point they answer, in the outline's order, within it by source, in the
 * order of the sources' best answers and of the text. What answers no key point in particular opens the section
 * where it is close to the title, and ends it otherwise.
 */
function paragraphsOf(placed: readonly Placed[]): Placed[][] {
  const points = Map.groupBy(
    placed.toSorted((a, b) => rank(a) - rank(b) || a.unit.id - b.unit.id),
    rank,
  );
  const grouped = [...points.values()].flatMap((entries) => {
    const sources = [...Map.groupBy(entries, ({ unit }) => unit.sourceId).values()];
    const best = (group: readonly Placed[]) => Math.max(...group.map(({ value }) => value));
    return paragraphs(sources.sort((a, b) => best(b) - best(a)).flat());
  });
  return grouped.reduce<Placed[][]>((joined, paragraph) => {
    const last = joined.at(-1);
    const short = last !== undefined && Math.min(wordsOf(last), wordsOf(paragraph)) < shortParagraph;
    if (short && wordsOf(last) + wordsOf(paragraph) <= paragraphWords) last.push(...paragraph);
    else joined.push(paragraph);
    return joined;
  }, []);
}

function rank({ point, value }: Placed): number {
  return point === -1 && value < opening ? Number.MAX_SAFE_INTEGER : point;
}

function wordsOf(placed: readonly Placed[]): number {
  return placed.flatMap(({ sentences }) => sentences).reduce((sum, { words }) => sum + words, 0);
}

function paragraphs(placed: readonly Placed[]): Placed[][] {
  const grouped: Placed[][] = [];
  let words = 0;
  for (const entry of placed) {
    const size = wordsOf([entry]);
    const last = grouped.at(-1);
    const otherSource = last?.at(-1)?.unit.sourceId !== entry.unit.sourceId;
    const full = words + size > paragraphWords || (otherSource && words > paragraphWords / 2);
    if (last === undefined || full) {
      grouped.push([entry]);
      words = size;
    } else {
      last.push(entry);
      words += size;
    }
  }
  return grouped;
}
