import type { CitationReport } from "@proofroom/contracts";
import {
  extractFences,
  isContentsHeading,
  isReferencesHeading,
  proseBlocks,
  type Section,
  splitSections,
  titleKey,
  withoutMarkers,
} from "@proofroom/markdown";
import type { MeasuredSection } from "./sections.ts";

export interface StructureDefect {
  /** A section_id, or `article`. */
  section: string;
  instruction: string;
  /** Points of structure_clarity that it costs. */
  cost: number;
  /** An article that breaks off is not approved, whatever else it has. */
  blocking: boolean;
}

/** What is wrong with the build of an article: title, contents, references, endings, levels of headings. */
export function structureDefects(
  article: string,
  citations: CitationReport,
  sections: readonly MeasuredSection[],
): StructureDefect[] {
  const parts = splitSections(article);
  return [
    ...titleDefects(parts),
    ...contentsDefects(parts),
    ...referencesDefects(parts, citations),
    ...levelDefects(parts),
    ...endingDefects(article, parts, sections),
  ];
}

function defect(instruction: string, cost: number): StructureDefect {
  return { section: "article", instruction, cost, blocking: false };
}

function titleDefects(parts: readonly Section[]): StructureDefect[] {
  const titles = parts.filter(({ depth }) => depth === 1);
  if (titles.length === 0)
    return [defect("Begin the article with its title as a heading of the first level.", 2)];
  return titles.length > 1 ? [defect("Keep one heading of the first level, the title.", 1)] : [];
}

function contentsDefects(parts: readonly Section[]): StructureDefect[] {
  const contents = parts.find(({ heading }) => isContentsHeading(heading ?? ""));
  if (contents === undefined) return [defect("Add a table of contents.", 2)];
  const listed = proseBlocks(contents.markdown)
    .filter(({ kind }) => kind === "list_item")
    .map(({ text }) => titleKey(text));
  const headings = parts.filter(({ heading, depth }) => heading !== null && depth > 1);
  const titles = new Set(headings.map(({ heading }) => titleKey(heading ?? "")));
  const missing = headings.filter(
    ({ heading, depth }) =>
      depth === 2 &&
      !isContentsHeading(heading ?? "") &&
      !isReferencesHeading(heading ?? "") &&
      !listed.includes(titleKey(heading ?? "")),
  );
  const dangling = listed.filter((title) => !titles.has(title));
  const slugs = new Set(parts.map(({ slug }) => slug));
  const dead = [...contents.markdown.matchAll(/\]\(#([^)\s]+)\)/g)].filter(
    ([, target]) => !slugs.has(decoded(target ?? "")),
  );
  if (missing.length + dangling.length + dead.length === 0) return [];
  const complaints = [
    missing.length > 0 && `it lacks ${missing.map(({ heading }) => `“${heading}”`).join(", ")}`,
    dangling.length > 0 && `it lists ${dangling.length} that the article does not have`,
    dead.length > 0 && `${dead.length} of its links lead nowhere`,
  ].filter((part) => part !== false);
  return [defect(`Make the table of contents agree with the headings: ${complaints.join("; ")}.`, 2)];
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function referencesDefects(
  parts: readonly Section[],
  { references, citations }: CitationReport,
): StructureDefect[] {
  const used = new Set(citations.flatMap(({ numbers }) => numbers));
  if (used.size === 0) return [];
  if (!parts.some(({ heading }) => isReferencesHeading(heading ?? ""))) {
    return [defect("Add the list of references that the markers point to.", 3)];
  }
  const unused = references.filter(({ number }) => !used.has(number)).map(({ number }) => `[${number}]`);
  return unused.length === 0 ? [] : [defect(`Cite or remove the unused references ${unused.join(", ")}.`, 1)];
}

function levelDefects(parts: readonly Section[]): StructureDefect[] {
  const headings = parts.filter(({ depth }) => depth > 0);
  const jump = headings.find(({ depth }, at) => at > 0 && depth > (headings[at - 1]?.depth ?? 1) + 1);
  if (jump === undefined) return [];
  return [
    defect(`Do not leave out a level of headings above “${jump.heading}” (line ${jump.start_line}).`, 1),
  ];
}

/** Words that no sentence and no list item ends with. */
const openEnd =
  /(?:^|\s)(?:the|an?|and|or|but|of|in|to|this|that|these|with|for|from|by|is|are|was|were|as|at|on|which|than|its|it|be|can|will)$/i;

function endingDefects(
  article: string,
  parts: readonly Section[],
  sections: readonly MeasuredSection[],
): StructureDefect[] {
  const present = sections.flatMap(({ outline, found }) =>
    found === null ? [] : [{ id: outline.section_id, title: outline.title, markdown: found.markdown }],
  );
  const defects = present
    .filter(({ markdown }) => breaksOff(markdown))
    .map(({ id, title }) => broken(id, `Complete the section “${title}”, which breaks off`));
  const body = parts.filter(
    ({ heading }) => !isContentsHeading(heading ?? "") && !isReferencesHeading(heading ?? ""),
  );
  const last = body.at(-1);
  const within = present.some(({ markdown }) => last !== undefined && markdown.includes(last.markdown));
  if (last !== undefined && !within && breaksOff(last.markdown)) {
    defects.push(broken("article", "Complete the end of the article, which breaks off"));
  }
  const lastFence = extractFences(article).at(-1);
  if (lastFence?.unclosed === true && defects.length === 0) {
    defects.push(broken("article", "Close the last block of code, which breaks off"));
  }
  return defects;
}

function broken(section: string, instruction: string): StructureDefect {
  return {
    section,
    instruction: `${instruction} in the middle of a sentence or of code.`,
    cost: 4,
    blocking: true,
  };
}

/** Whether a text ends in the middle of a sentence or of a block of code. */
function breaksOff(markdown: string): boolean {
  const last = proseBlocks(markdown).at(-1);
  const fence = extractFences(markdown).at(-1);
  if (fence !== undefined && fence.start_line > (last?.line ?? 0)) return fence.unclosed;
  if (last === undefined || last.kind === "heading" || last.kind === "table_row") return false;
  const text = withoutMarkers(last.text)
    .trimEnd()
    .replace(/[)\]"'”’»」*_`]+$/, "");
  if (last.kind === "list_item") return /[,;:–—-]$/.test(text) || openEnd.test(text);
  return !/[.!?…;。！？｡]$/.test(text);
}
