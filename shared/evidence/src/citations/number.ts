import { ProofroomError, type SourceIndex } from "@proofroom/contracts";
import { idMarker, locateMarkdown, numberMarker, type Range } from "@proofroom/markdown";
import { numbersOf } from "./marker-numbers.ts";
import { walk } from "./walk.ts";

/** An entry of the list of references. */
export interface Reference {
  number: number;
  source_id: string;
  /** URL or relative path, exactly as the index has it. */
  ref: string;
  title: string;
}

const idMarkerHere = new RegExp(idMarker, "y");
const numberMarkerHere = new RegExp(numberMarker, "y");

/**
 * Turns markers that cite by id (`[S4]`, `[S4][S2]`, `[S4, S2]`) into numbers in the order of their first use.
 * Code, HTML and links whose label is the marker are left alone. Bracketed numbers that stand in the text
 * already (`[12]` in a sentence taken over from a paper) are escaped, so that they cannot pass for citations.
 * @throws ProofroomError invalid_input, listing the ids that the index does not have
 */
export function numberCitations(
  markdown: string,
  index: SourceIndex,
): { markdown: string; references: Reference[] } {
  const byId = new Map(index.sources.map((source) => [source.id, source]));
  const references = new Map<string, Reference>();
  const unknown = new Set<string>();
  const numbered = replaceInProse(markdown, (text, at) => {
    const foreign = matchAt(numberMarkerHere, text, at);
    if (foreign !== null) return { length: foreign.length, by: `\\[${foreign.slice(1, -1)}\\]` };
    const marker = matchAt(idMarkerHere, text, at);
    if (marker === null) return null;
    const numbers = new Set<number>();
    for (const [id] of marker.matchAll(/S\d+/g)) {
      const source = byId.get(id);
      if (source === undefined) {
        unknown.add(id);
        continue;
      }
      const known = references.get(id);
      const number = known?.number ?? references.size + 1;
      if (known === undefined) {
        references.set(id, { number, source_id: id, ref: source.ref, title: source.title });
      }
      numbers.add(number);
    }
    return { length: marker.length, by: [...numbers].map((number) => `[${number}]`).join("") };
  });
  if (unknown.size > 0) {
    throw new ProofroomError({
      code: "invalid_input",
      message: `The text cites sources that do not exist: ${[...unknown].slice(0, 20).join(", ")}.`,
      remedy: "Cite only ids that are listed in .nova/sources.json.",
    });
  }
  return { markdown: numbered, references: [...references.values()] };
}

/**
 * The way back: `[1]` and `[1, 3]` become `[S4]` and `[S4][S2]`. Numbers without a reference stay as they are.
 */
export function denumberCitations(
  markdown: string,
  references: readonly { number: number; source_id: string | null }[],
): string {
  const idOf = new Map(references.map((reference) => [reference.number, reference.source_id]));
  return replaceInProse(markdown, (text, at) => {
    const marker = matchAt(numberMarkerHere, text, at);
    if (marker === null) return null;
    const parts = numbersOf(marker).map((number) => `[${idOf.get(number) ?? number}]`);
    return { length: marker.length, by: parts.join("") };
  });
}

/** Asks `replace` at each unescaped `[` outside opaque ranges, and puts what it answers in place. */
function replaceInProse(
  markdown: string,
  replace: (text: string, at: number) => { length: number; by: string } | null,
): string {
  const opaque = opaqueRanges(markdown);
  let result = "";
  let copied = 0;
  let next = 0;
  for (let at = markdown.indexOf("["); at !== -1; at = markdown.indexOf("[", at + 1)) {
    while (next < opaque.length && (opaque[next]?.end ?? 0) <= at) next += 1;
    const range = opaque[next];
    if ((range !== undefined && range.start <= at) || at < copied || isEscaped(markdown, at)) continue;
    const found = replace(markdown, at);
    if (found === null) continue;
    result += markdown.slice(copied, at) + found.by;
    copied = at + found.length;
  }
  return result + markdown.slice(copied);
}

/** Where a bracket is not a marker: code, HTML, link definitions, and links labelled like a marker. */
function opaqueRanges(markdown: string): Range[] {
  const ranges: Range[] = [];
  const { root, rangeOf } = locateMarkdown(markdown);
  for (const node of walk(root)) {
    const range = rangeOf(node);
    const opaque =
      node.type === "code" ||
      node.type === "inlineCode" ||
      node.type === "html" ||
      node.type === "definition" ||
      ((node.type === "link" || node.type === "image") && isLabelledLikeMarker(markdown, range));
    const last = ranges.at(-1);
    if (opaque && (last === undefined || range.start >= last.end)) ranges.push(range);
  }
  return ranges;
}

function isLabelledLikeMarker(markdown: string, range: Range): boolean {
  const at = markdown.indexOf("[", range.start);
  const label = matchAt(idMarkerHere, markdown, at) ?? matchAt(numberMarkerHere, markdown, at);
  return label !== null && markdown[at + label.length] === "(";
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}
