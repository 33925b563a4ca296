import type { ProseBlock } from "@proofroom/markdown";
import { findNumbers } from "./numbers.ts";
import { contentOf } from "./support.ts";
import { tokenize } from "./tokens.ts";

const signpost =
  /^(?:(?:this|the (?:next|following|previous)) (?:article|section|post|guide|chapter|tutorial|part)s?\b|(?:in|by the end of|throughout) (?:this|the (?:next|following)) |let['’]s\b|let us\b|(?:now|next|below|above|finally|first|then|here),? (?:we|you|i|let|is|are)\b|we(?:['’]ll| will)\b|you(?:['’]ll| will) (?:learn|see|find)\b|here['’]s\b|(?:the|this) (?:code|snippet|example|listing|output|block|figure|diagram|table)\b|(?:see|read|note|consider|remember|suppose|imagine|assume|install|run|use|create|open|add|copy|paste|replace|set|try|check|make sure|start|stop|save|call|pass|import|define|write|choose|keep|avoid|download|clone|follow|click|go)\b)/i;
const composedByMachine =
  /^the gathered sources say nothing about |\bno (?:language )?model (?:wrote|was used|has written|was involved)\b|\bthis (?:article|text|page|draft) (?:is|was) (?:extractive|composed|extracted|assembled)\b/i;

/**
 * Whether a sentence states something that a reader would want a source for. Not: questions, fragments of fewer
 * than four words or two that say something, introductions that end with a colon, sentences that guide through
 * the article or its code ("In this section …", "Next, we …"), instructions ("Install …"), text without final
 * punctuation outside lists and tables (captions), and the notes on how the article was composed. What states a
 * share, a price or a year is a claim in any of these forms, questions and those notes apart.
 */
export function isClaim(sentence: string, kind: ProseBlock["kind"]): boolean {
  const words = sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’._-]*/gu) ?? [];
  const letters = sentence.replace(/[^\p{L}]/gu, "").length;
  const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(sentence);
  if (wide ? letters < 8 : words.length < 4) return false;
  if (/[?？][)"'”’*]*$/.test(sentence) || contentOf(tokenize(sentence)).length < 2) return false;
  if (composedByMachine.test(sentence)) return false;
  if (statesFigure(sentence)) return true;
  if (/[:：][)"'”’*]*$/.test(sentence) || signpost.test(sentence)) return false;
  const ended = /[.!…。！｡][)\]"'”’*»」]*$/.test(sentence);
  return ended || kind === "list_item" || kind === "table_row" || kind === "quote";
}

/** Whether a sentence has a figure that somebody must have measured or recorded: a share, a price, a factor, a year. */
function statesFigure(sentence: string): boolean {
  return findNumbers(sentence).some(
    ({ dimension, value, spelled }) =>
      !spelled && (/^[%$€£¥]$|^times$/.test(dimension) || (dimension === "" && isYear(value))),
  );
}

function isYear(value: number | string): boolean {
  return Number.isInteger(value) && Number(value) >= 1900 && Number(value) < 2100;
}
