import type { Span } from "@proofroom/contracts";
import { invalid } from "./detect-format.ts";

/** What reading a file gives: its text as Markdown, addressable, and what was left out. */
export interface ParsedDocument {
  /** Null where the file names none. */
  title: string | null;
  text: string;
  spans: Span[];
  omissions: string[];
  author?: string;
}

export interface ReadDocument {
  document: ParsedDocument;
  mediaType: string;
}

/** The most text that is kept of one file, in UTF-16 code units. */
export const maxKeptText = 4 * 1024 * 1024;

/** Fewer letters and digits than that are no evidence of anything. */
const leastLetters = 12;

/**
 * The document within the size that is kept.
 * @throws ProofroomError invalid_input where it holds hardly any text
 */
export function checked(document: ParsedDocument): ParsedDocument {
  const kept = keepWithin(document);
  const letters = kept.text.slice(0, 10_000).match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (kept.spans.length === 0 || letters < leastLetters) throw invalid("The file holds hardly any text.");
  return kept;
}

/** Cuts a text that is too long at the end of a span, and says so. */
export function keepWithin(document: ParsedDocument, limit = maxKeptText): ParsedDocument {
  if (document.text.length <= limit) return document;
  const spans = document.spans.filter((span) => span.end <= limit);
  const end = spans.at(-1)?.end ?? 0;
  const kept = Math.floor((end / document.text.length) * 100);
  return {
    ...document,
    text: document.text.slice(0, end),
    spans,
    omissions: [...document.omissions, `The text after the first ${kept} % of the file.`],
  };
}

/** Embedded data, mostly images, would fill the text with base64. */
export function withoutEmbeddedData(text: string): { text: string; omissions: string[] } {
  let dropped = 0;
  const cleaned = text.replaceAll(/data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/=%]{64,}/g, () => {
    dropped += 1;
    return "data:,";
  });
  return { text: cleaned, omissions: dropped === 0 ? [] : [`${counted(dropped, "embedded image")}.`] };
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The outermost heading that the text begins with. */
export function headingOf(spans: readonly Span[]): string | null {
  return spans.find((span) => span.locator.headings !== undefined)?.locator.headings?.[0] ?? null;
}
