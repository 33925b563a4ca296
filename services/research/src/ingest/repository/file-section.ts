import type { Span } from "@proofroom/contracts";
import { spansOfLines, spansOfMarkdown, spansOfText } from "@proofroom/evidence";
import { codeLanguageOf, extensionOf, markdownExtensions } from "../document/code-languages.ts";
import { fenced } from "../document/fence.ts";
import { withoutEmbeddedData } from "../document/parsed-document.ts";
import { readNotebook } from "../document/read-notebook.ts";
import type { TextFile } from "./file-order.ts";

const proseExtensions = new Set(["rst", "txt", "adoc", ""]);

interface FileSection {
  markdown: string;
  spans: Span[];
  /** What of the file was left out. */
  omissions: string[];
}

/**
 * One file of a repository as a part of its digest: a heading, then Markdown as it is, notebooks cell by cell, other
 * text as it is, code in a fence. Each span names the file, and its lines or cell.
 */
export function fileSection({ path, content }: TextFile): FileSection {
  const heading = `## ${path}\n\n`;
  const { markdown, spans, omissions } = bodyOf(path, content);
  return {
    markdown: `${heading}${markdown.trimEnd()}\n\n`,
    spans: spans.map((span) => ({
      ...span,
      start: span.start + heading.length,
      end: span.end + heading.length,
      locator: { ...span.locator, file: path },
    })),
    omissions: omissions.map((omission) => `${path}: ${omission}`),
  };
}

function bodyOf(path: string, content: string): FileSection {
  const extension = extensionOf(path);
  if (extension === "ipynb") {
    const { text, spans, omissions } = readNotebook(content);
    return { markdown: text, spans, omissions };
  }
  const { text, omissions } = withoutEmbeddedData(content);
  if (markdownExtensions.has(extension)) {
    return { markdown: text, spans: spansOfMarkdown(text, { file: path }), omissions };
  }
  const language = codeLanguageOf(path);
  const isProse = language === null && proseExtensions.has(extension) && !text.startsWith("#!");
  if (isProse) return { markdown: text, spans: spansOfText(text), omissions };
  const { markdown, offset } = fenced(text, language);
  const spans = spansOfLines(text, { language }).map((span) => ({
    ...span,
    start: span.start + offset,
    end: span.end + offset,
  }));
  return { markdown, spans, omissions };
}
