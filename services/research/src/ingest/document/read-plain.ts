import { spansOfLines, spansOfText } from "@proofroom/evidence";
import { type DocumentFormat, detectFormat } from "./detect-format.ts";
import { fenced } from "./fence.ts";
import {
  checked,
  headingOf,
  keepWithin,
  maxKeptText,
  type ParsedDocument,
  type ReadDocument,
  withoutEmbeddedData,
} from "./parsed-document.ts";

/** Plain text and code: formats that are read without a parser, in time and memory linear in their size. */
export type PlainFormat = Extract<DocumentFormat, { format: "rst" | "text" | "code" }>;

/**
 * Reads a small file where it stands, if it is plain text or code; null where it is anything else.
 * @throws ProofroomError invalid_input
 */
export function readPlainFile(path: string, bytes: Uint8Array): ReadDocument | null {
  const detected = detectFormat(path, bytes);
  return isPlain(detected) ? readPlain(detected) : null;
}

export function isPlain(detected: DocumentFormat): detected is PlainFormat {
  return detected.format === "rst" || detected.format === "text" || detected.format === "code";
}

/** @throws ProofroomError invalid_input where there is hardly any text */
export function readPlain(detected: PlainFormat): ReadDocument {
  if (detected.format === "code") {
    const { text, language } = detected;
    return {
      document: checked(readCode(text, language)),
      mediaType: codeMediaTypes[language] ?? `text/x-${language}`,
    };
  }
  const mediaType = detected.format === "rst" ? "text/x-rst" : "text/plain";
  return { document: checked(readText(detected.text)), mediaType };
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
