import { spansOfMarkdown } from "@proofroom/evidence";
import { type DocumentFormat, detectFormat } from "./detect-format.ts";
import {
  checked,
  headingOf,
  maxKeptText,
  type ParsedDocument,
  type ReadDocument,
  withoutEmbeddedData,
} from "./parsed-document.ts";
import { readDocx } from "./read-docx.ts";
import { readNotebook } from "./read-notebook.ts";
import { readPdf } from "./read-pdf.ts";
import { isPlain, type PlainFormat, readPlain } from "./read-plain.ts";

export interface DocumentTask {
  path: string;
  bytes: Uint8Array;
}

export type DocumentResult =
  | ReadDocument
  /** A web page saved as a file: it is cleaned as one that was fetched. */
  | { html: string };

/**
 * What is run in a child: reads one file, whatever it is.
 * @throws ProofroomError invalid_input, too_large
 */
export async function work(payload: unknown): Promise<DocumentResult> {
  const { path, bytes } = payload as DocumentTask;
  const detected = detectFormat(path, bytes);
  if (detected.format === "html") return { html: detected.text };
  if (isPlain(detected)) return readPlain(detected);
  return { document: checked(await read(detected, bytes)), mediaType: mediaTypes[detected.format] };
}

function read(
  detected: Exclude<DocumentFormat, PlainFormat | { format: "html" }>,
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
  }
}

function readMarkdown(original: string): ParsedDocument {
  const { text, omissions } = withoutEmbeddedData(original);
  // A little more than is kept, so that the cut falls on the end of a span and is told.
  const spans = spansOfMarkdown(text.slice(0, maxKeptText + 1));
  return { title: frontMatterTitle(text) ?? headingOf(spans), text, spans, omissions };
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
} as const;
