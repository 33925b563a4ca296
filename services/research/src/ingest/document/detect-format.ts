import { ProofroomError } from "@proofroom/contracts";
import { codeLanguageOf, extensionOf, markdownExtensions } from "./code-languages.ts";
import { decodeText } from "./decode-text.ts";
import { officeKind, unreadOffice } from "./office-kind.ts";

/** What a file is, with its text where it is one. */
export type DocumentFormat =
  | { format: "pdf" | "docx" }
  | { format: "notebook" | "markdown"; text: string }
  | { format: "rst" | "text"; text: string }
  | { format: "html"; text: string }
  | { format: "code"; text: string; language: string };

const htmlExtensions = new Set(["html", "htm", "xhtml"]);

/**
 * Tells what a file is: by its content first, by its name where the content leaves it open.
 * @throws ProofroomError invalid_input where the bytes are no text and no document that can be read, or are not
 *   what the name says
 */
export function detectFormat(path: string, bytes: Uint8Array): DocumentFormat {
  const extension = extensionOf(path);
  if (bytes.length === 0) throw invalid("The file is empty.");
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  if (head.includes("%PDF-")) return { format: "pdf" };
  const office = officeKind(bytes);
  if (office !== null && office !== "docx") {
    const { what, remedy } = unreadOffice[office];
    throw invalid(`The file is ${what}, which is not read.`, remedy);
  }
  // What kind of an archive another is, or what is broken about it, is found out where it is opened.
  if (head.startsWith("PK\x03\x04")) return { format: "docx" };
  const text = decodeText(bytes, declaredEncoding(head));
  if (text === null) throw invalid("The file is binary and holds no text that can be read.");
  const expected = { pdf: "PDF", docx: "Word document" }[extension];
  if (expected !== undefined) throw invalid(`The file's name says ${expected}, its content does not.`);
  return textFormat(path, extension, text);
}

function textFormat(path: string, extension: string, text: string): DocumentFormat {
  if (extension === "ipynb" || looksLikeNotebook(extension, text)) return { format: "notebook", text };
  if (markdownExtensions.has(extension) && !looksLikeHtml(text)) return { format: "markdown", text };
  const language = codeLanguageOf(path);
  if (language !== null) return { format: "code", text, language };
  if (htmlExtensions.has(extension) || looksLikeHtml(text)) return { format: "html", text };
  if (extension === "rst") return { format: "rst", text };
  return { format: "text", text };
}

function looksLikeHtml(text: string): boolean {
  return /^\s*(?:<!--[^>]*-->\s*)?(?:<!doctype html|<html[\s>])/i.test(text.slice(0, 4_096));
}

function looksLikeNotebook(extension: string, text: string): boolean {
  const mayBe = extension === "" || extension === "json" || extension === "txt";
  return mayBe && /^\s*\{/.test(text) && /"nbformat"\s*:/.test(text) && /"cells"\s*:/.test(text);
}

/** As an HTML meta tag or an XML declaration names it. */
function declaredEncoding(head: string): string | undefined {
  return /<(?:meta[^>]{0,200}?charset|\?xml[^>]{0,200}?encoding)\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
}

export function invalid(message: string, remedy?: string): ProofroomError {
  return new ProofroomError({ code: "invalid_input", message, ...(remedy === undefined ? {} : { remedy }) });
}
