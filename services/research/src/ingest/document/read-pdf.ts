import type { Span } from "@proofroom/contracts";
import { invalid } from "./detect-format.ts";
import { counted, maxKeptText, type ParsedDocument } from "./parsed-document.ts";
import { type PdfParagraph, type PdfTextItem, paragraphsOfPage } from "./pdf-page-text.ts";

const maxPages = 1_500;
/** A page whose letters are more than so much without a meaning has a broken text layer. */
const maxUnmapped = 0.3;

const asText = "Give the text as Markdown, or a PDF with a text layer (OCR).";

/**
 * The text layer of a PDF, one span per paragraph with its page. Pages without text, and pages whose font does
 * not say which letters its glyphs are, are left out and named.
 * @throws ProofroomError invalid_input where it is encrypted, no PDF, or has no text layer that can be read
 */
export async function readPdf(bytes: Uint8Array): Promise<ParsedDocument> {
  const pdf = await open(bytes);
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} as Record<string, unknown> }));
  const last = Math.min(pdf.numPages, maxPages);
  const spans: Span[] = [];
  const silent: number[] = [];
  const unreadable: number[] = [];
  let text = "";
  let read = 0;
  let heading: string | null = null;
  for (let page = 1; page <= last && text.length < maxKeptText; page += 1) {
    read = page;
    const paragraphs = await paragraphsOf(pdf, page);
    const whole = paragraphs.map((paragraph) => paragraph.text).join("");
    if (page === 1) heading = largest(paragraphs);
    if (letters(whole) < 3 && unmappedShare(whole) === 0) silent.push(page);
    else if (unmappedShare(whole) > maxUnmapped) unreadable.push(page);
    else {
      for (const paragraph of paragraphs) {
        spans.push({
          start: text.length,
          end: text.length + paragraph.text.length,
          kind: "prose",
          locator: { page },
        });
        text += `${paragraph.text}\n\n`;
      }
    }
  }
  if (spans.length === 0 || unreadable.length > read / 2) {
    throw unreadable.length > 0
      ? invalid("The PDF's text layer is broken: its fonts do not say which letters they show.", asText)
      : invalid("The PDF has no text layer: its pages are images.", asText);
  }
  return {
    title: metadataText(info, "Title") ?? heading,
    ...(metadataText(info, "Author") === null ? {} : { author: metadataText(info, "Author") as string }),
    text,
    spans,
    omissions: [
      ...named(silent, "without a text layer"),
      ...named(unreadable, "with a broken text layer"),
      ...(read < pdf.numPages ? [`The pages after page ${read} of ${pdf.numPages}.`] : []),
    ],
  };
}

type Pdf = Awaited<ReturnType<typeof import("unpdf").getDocumentProxy>>;

async function open(bytes: Uint8Array): Promise<Pdf> {
  const { getDocumentProxy } = await import("unpdf");
  // A Buffer, which bytes from a file or another process may be, is refused by pdf.js.
  const plain = new Uint8Array(bytes);
  try {
    return await getDocumentProxy(plain, { verbosity: 0 });
  } catch (error) {
    throw error instanceof Error && error.name === "PasswordException"
      ? invalid("The PDF is encrypted.", "Save it without a password.")
      : invalid("The file is a broken PDF.", asText);
  }
}

/** A page that cannot be read counts as one without text: the others are worth having. */
async function paragraphsOf(pdf: Pdf, number: number): Promise<PdfParagraph[]> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return paragraphsOfPage(items.filter((item): item is typeof item & PdfTextItem => "str" in item));
  } catch {
    return [];
  }
}

/** What a first page shows in its largest letters is its title, if anything is. */
function largest(paragraphs: readonly PdfParagraph[]): string | null {
  const most = paragraphs.reduce((height, paragraph) => Math.max(height, paragraph.height), 0);
  const found = paragraphs.find(({ height, text }) => height >= most * 0.99 && letters(text) >= 4);
  const stands = found !== undefined && paragraphs.some(({ height }) => height < most * 0.95);
  return stands && found.text.length <= 200 ? found.text : null;
}

function letters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** The share of characters that stand for glyphs without a meaning: replacement, private use and control ones. */
function unmappedShare(text: string): number {
  const all = text.replaceAll(/\s/g, "").length;
  return all === 0 ? 0 : (text.match(/[\ufffd\p{Co}\p{Cc}\p{Cn}]/gu)?.length ?? 0) / all;
}

function metadataText(info: object, key: string): string | null {
  const value = (info as Record<string, unknown>)[key];
  const text = typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : "";
  // Programs put names of files and of themselves here.
  return letters(text) < 3 || unmappedShare(text) > 0 || /\.\w{2,5}$|^untitled/i.test(text) ? null : text;
}

function named(pages: readonly number[], what: string): string[] {
  if (pages.length === 0) return [];
  const list = pages.slice(0, 20).join(", ");
  return [`${counted(pages.length, "page")} ${what} (${list}${pages.length > 20 ? ", …" : ""}).`];
}
