import type { CitationReport, OutlineSection, Source, SourceIndex } from "@proofroom/contracts";
import { numberCitations, renderReferences, verifyArticle } from "@proofroom/evidence";
import { extractFences, idMarker, wordCount } from "@proofroom/markdown";
import { Flawed } from "@proofroom/models";
import { escapeText } from "../extractive/section-markdown.ts";
import { keyOf, removeSentences } from "../refine/article-text.ts";
import { plainSection, Unframed } from "./plain-section.ts";
import { repetitionIn, withoutRepeated } from "./repetition.ts";
import { citeAll, removeBlocks } from "./section-text.ts";

export interface SectionRules {
  section: OutlineSection;
  /** Ids that were shown and may be cited. */
  sourceIds: ReadonlySet<string>;
  index: SourceIndex;
  sourceOf(id: string): Promise<Source | undefined>;
  /** Whether the evidence has an address. */
  isKnown(url: string): boolean;
  /** Whether the evidence has so much of a block of code that it can be taken from there. */
  hasCode(code: string, language: string | null): boolean;
  /** The section that is mended, where one is: what is good in it must not be lost. */
  before?: string;
  signal: AbortSignal;
}

/** Of what was asked for, a section may have so many words, and after the check must have so many left. */
const mostWords = 1.6;
const fewestWords = 0.4;
/** Of a section that is mended so much must be left. */
const keptWords = 0.7;

/** Longer answers are not even read, in characters: for each word that was asked for, and beside them for code. */
const charactersPerWord = 20;
const charactersBeside = 16_000;

const ids = new RegExp(idMarker, "g");

/** What a text says about how it was made: that is not for the model to say. */
const aboutItself =
  /\b(?:this|the) (?:article|text|page|draft|section|document)\b[^.]*\b(?:written|verified|fact[- ]?checked|reviewed|approved|extractive|composed|generated)\b|\bno (?:language )?model\b[^.]*\b(?:wrote|written|used|involved)\b/i;

/**
 * Reads a section that a model wrote: keeps what it says again once, refuses ids that it was not shown, looks every sentence up in the sources, and
 * takes out those that they do not say. What is left must still be a section.
 */
export async function readSection(text: string, rules: SectionRules): Promise<string | Flawed> {
  const target = rules.section.target_word_count;
  if (text.length > target * charactersPerWord + charactersBeside)
    return new Flawed("unfit", `It is far too long; about ${target} words were asked for.`);
  const plain = plainSection(text, rules.isKnown);
  if (plain instanceof Unframed) return new Flawed("unfit", plain.hint);
  const body = withoutRepeated(plain);
  const repetition = repetitionIn(body);
  if (repetition !== null) return new Flawed("unfit", repetition);
  const foreign = extractFences(body).find(({ code, language }) => !rules.hasCode(code, language));
  if (foreign !== undefined) {
    return new Flawed(
      "unfit",
      `The block of code that begins with “${foreign.code.trim().slice(0, 60)}” is not in the evidence: take code from there, or leave it out.`,
    );
  }
  const cited = citedIn(body);
  const unknown = cited.filter((id) => !rules.sourceIds.has(id));
  if (unknown.length > 0) {
    return new Flawed(
      "unfit",
      `It cites ${unknown.slice(0, 5).join(", ")}, which is not in the evidence: cite only ids that are listed.`,
    );
  }
  if (cited.length === 0)
    return new Flawed("unfit", "It cites nothing: end every factual sentence with a marker such as [S1].");
  const words = wordCount(plain);
  if (words > target * mostWords + 60) {
    return new Flawed("unfit", `It has ${words} words; about ${target} were asked for.`);
  }
  const checked = await withoutUnsupported(body, rules);
  const left = wordCount(checked.text);
  if (!checked.settled || left < target * fewestWords || !idMarker.test(checked.text)) {
    const examples = checked.removed
      .slice(0, 3)
      .map((sentence) => `“${sentence.slice(0, 300)}”`)
      .join(" ");
    return new Flawed(
      "unfit",
      `Too little of it is said by the sources that it cites. Not supported: ${examples || "most of it"}. Stay closer to the evidence.`,
    );
  }
  const lost = lostOf(checked.text, left, rules);
  if (lost !== null) return new Flawed("unfit", lost);
  return `## ${escapeText(rules.section.title)}\n\n${checked.text.trim()}\n`;
}

function citedIn(body: string): string[] {
  return [...new Set([...body.matchAll(ids)].flatMap(([marker]) => marker.match(/S\d+/g) ?? []))];
}

/** What a mended section has lost of the one that it replaces; null where it is no worse. */
function lostOf(text: string, words: number, { before, section }: SectionRules): string | null {
  if (before === undefined) return null;
  if (words < Math.min(wordCount(before), section.target_word_count) * keptWords)
    return "Too much of the section is gone that was good: leave it as it is where nothing is to be mended.";
  return extractFences(text).length < extractFences(before).length
    ? "A block of code is gone: leave the code as it is."
    : null;
}

/**
 * Takes out what no cited source says. A statement without a marker is held against all sources that the section cites: a
 * marker that is missing makes nothing true.
 */
async function withoutUnsupported(
  body: string,
  rules: SectionRules,
): Promise<{ text: string; removed: string[]; settled: boolean }> {
  const removed: string[] = [];
  let text = removeSentences(
    body,
    (sentence) => !idMarker.test(sentence.text) && aboutItself.test(sentence.text),
    () => true,
  ).markdown;
  for (const remove of [bySentence, byBlock]) {
    const bad = await unsupportedIn(text, rules);
    if (bad.length === 0) return { text, removed, settled: true };
    removed.push(...bad.map(({ sentence }) => sentence));
    text = remove(text, bad);
  }
  return { text, removed, settled: (await unsupportedIn(text, rules)).length === 0 };
}

interface Unsupported {
  sentence: string;
  line: number;
}

async function unsupportedIn(body: string, rules: SectionRules): Promise<Unsupported[]> {
  const report = await verify(body, rules);
  const claims = report.uncited;
  const bad: Unsupported[] = badIn(report);
  const cited = citedIn(body);
  if (claims.length === 0 || cited.length === 0) return bad;
  const uncited = new Set(claims.map(({ sentence }) => keyOf(sentence)));
  const lines = new Set(claims.map(({ line }) => line));
  const marked = await verify(
    citeAll(body, cited, (key, line) => uncited.has(key) || lines.has(line)),
    rules,
  );
  const known = new Set(bad.map(({ sentence }) => keyOf(sentence)));
  return [
    ...bad,
    ...badIn(marked).filter(({ sentence }) => uncited.has(keyOf(sentence)) && !known.has(keyOf(sentence))),
  ];
}

function badIn(report: CitationReport): Unsupported[] {
  return report.citations.filter(({ verdict }) => verdict === "unsupported" || verdict === "unresolved");
}

/** Verdicts are about numbers, as the article will have them. */
async function verify(body: string, { index, sourceOf, signal }: SectionRules): Promise<CitationReport> {
  const { markdown: numbered, references } = numberCitations(body, index);
  const article = `${numbered}\n\n## References\n\n${renderReferences(references)}`;
  return verifyArticle({ article, index, corpus: { get: sourceOf }, signal });
}

function bySentence(body: string, bad: readonly Unsupported[]): string {
  const keys = new Set(bad.map(({ sentence }) => keyOf(sentence)));
  return removeSentences(
    body,
    ({ key }) => keys.has(key),
    () => true,
  ).markdown;
}

/** Rows of tables, headings, and what is written so that its sentences cannot be told apart. */
function byBlock(body: string, bad: readonly Unsupported[]): string {
  return removeBlocks(body, new Set(bad.map(({ line }) => line)));
}
