import { spansOfLines, spansOfMarkdown, spansOfText } from "@proofroom/evidence";
import { type DocumentFormat, detectFormat, invalid } from "./detect-format.ts";
import { fenced } from "./fence.ts";
import {
  headingOf,
  keepWithin,
  maxKeptText,
  type ParsedDocument,
  withoutEmbeddedData,
} from "./parsed-document.ts";
import { readDocx } from "./read-docx.ts";
import { readNotebook } from "./read-notebook.ts";
import { readPdf } from "./read-pdf.ts";

export type DocumentTask = { path: string; bytes: Uint8Array } | { markdown: string };

export interface ReadDocument {
  document: ParsedDocument;
  mediaType: string;
}

export type DocumentResult =
  | ReadDocument
  /** A web page saved as a file: it is cleaned as one that was fetched. */
  | { html: string };

/** Fewer letters and digits than that are no evidence of anything. */
const leastLetters = 12;

/**
 * What is run in a worker: reads one file, whatever it is.
 * @throws ProofroomError invalid_input, too_large
 */
export async function work(payload: unknown): Promise<DocumentResult> {
  const task = payload as DocumentTask;
  if ("markdown" in task) {
    return { document: checked(readMarkdown(task.markdown)), mediaType: "text/html" };
  }
  const detected = detectFormat(task.path, task.bytes);
  if (detected.format === "html") return { html: detected.text };
  return { document: checked(await read(detected, task.bytes)), mediaType: mediaTypeOf(detected) };
}

function checked(document: ParsedDocument): ParsedDocument {
  const kept = keepWithin(document);
  const letters = kept.text.slice(0, 10_000).match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (kept.spans.length === 0 || letters < leastLetters) throw invalid("The file holds hardly any text.");
  return kept;
}

function read(
  detected: Exclude<DocumentFormat, { format: "html" }>,
  bytes: Uint8Array,
): ParsedDocument | Promise<ParsedDocument> {
  switch (detected.format) {
    case "pdf":
      return readPdf(bytes);
    case "docx":
      return readDocx(bytes);
    case "notebook":
      return readNotebook(detected.text);
    case "markdown":
      return readMarkdown(detected.text);
    case "code":
      return readCode(detected.text, detected.language);
    case "rst":
    case "text":
      return readText(detected.text);
  }
}

function readMarkdown(original: string): ParsedDocument {
  const { text, omissions } = withoutEmbeddedData(original);
  // A little more than is kept, so that the cut falls on the end of a span and is told.
  const spans = spansOfMarkdown(text.slice(0, maxKeptText + 1));
  return { title: frontMatterTitle(text) ?? headingOf(spans), text, spans, omissions };
}

function readText(original: string): ParsedDocument {
  const { text, omissions } = withoutEmbeddedData(original);
  const spans = spansOfText(text);
  return { title: headingOf(spans), text, spans, omissions };
}

function readCode(code: string, language: string): ParsedDocument {
  const lines = { title: null, text: code, spans: spansOfLines(code, { language }), omissions: [] };
  const kept = keepWithin(lines, maxKeptText - 1_000);
  const { markdown, offset } = fenced(kept.text, language);
  const spans = kept.spans.map((span) => ({ ...span, start: span.start + offset, end: span.end + offset }));
  return { ...kept, text: markdown, spans };
}

function frontMatterTitle(text: string): string | null {
  const matter = /^---[ \t]*\n([\s\S]{0,4000}?)\n---[ \t]*\n/.exec(text)?.[1] ?? "";
  const title = /^title:[ \t]*(["']?)(.+?)\1[ \t]*$/m.exec(matter)?.[2];
  return title === undefined || /^[|>&*[{]/.test(title) ? null : title;
}

const mediaTypes = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  notebook: "application/x-ipynb+json",
  markdown: "text/markdown",
  rst: "text/x-rst",
  text: "text/plain",
} as const;

const codeMediaTypes: Readonly<Record<string, string>> = {
  json: "application/json",
  yaml: "application/yaml",
  toml: "application/toml",
  xml: "application/xml",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  css: "text/css",
  javascript: "text/javascript",
};

function mediaTypeOf(detected: Exclude<DocumentFormat, { format: "html" }>): string {
  if (detected.format === "code") return codeMediaTypes[detected.language] ?? `text/x-${detected.language}`;
  return mediaTypes[detected.format];
}
