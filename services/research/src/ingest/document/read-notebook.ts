import { stripVTControlCharacters } from "node:util";
import type { Locator, Span } from "@proofroom/contracts";
import { type HeadingPath, spansOfLines, spansOfMarkdown } from "@proofroom/evidence";
import { z } from "zod";
import { invalid } from "./detect-format.ts";
import { withoutPictures } from "./embedded-pictures.ts";
import { fenced } from "./fence.ts";
import { counted, headingOf, type ParsedDocument, withoutEmbeddedData } from "./parsed-document.ts";

const multiline = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (typeof value === "string" ? value : value.join("")).replaceAll(/\r\n/g, "\n"));

const outputSchema = z.looseObject({
  output_type: z.string(),
  text: multiline.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
  traceback: z.array(z.string()).optional(),
});

const cellSchema = z.looseObject({
  cell_type: z.string(),
  source: multiline.optional(),
  /** Code of format 3. */
  input: multiline.optional(),
  /** Of headings in format 3. */
  level: z.int().min(1).max(6).optional(),
  outputs: z.array(outputSchema).optional(),
});

/** Formats 3 and 4 of nbformat (https://nbformat.readthedocs.io). */
const notebookSchema = z.looseObject({
  cells: z.array(cellSchema).optional(),
  worksheets: z.array(z.looseObject({ cells: z.array(cellSchema) })).optional(),
  metadata: z
    .looseObject({
      title: z.string().optional(),
      language_info: z.looseObject({ name: z.string().optional() }).optional(),
      kernelspec: z.looseObject({ language: z.string().optional() }).optional(),
    })
    .optional(),
});

type Cell = z.output<typeof cellSchema>;
type Output = z.output<typeof outputSchema>;

/** The most that is kept of one output, in UTF-16 code units. */
const maxOutput = 3_000;

const magicLanguages: Readonly<Record<string, string>> = {
  bash: "bash",
  sh: "bash",
  javascript: "javascript",
  js: "javascript",
  html: "html",
  sql: "sql",
  latex: "latex",
  R: "r",
  perl: "perl",
  ruby: "ruby",
  writefile: "text",
};

/**
 * A Jupyter notebook as Markdown: its cells in order, code fenced in the notebook's language, outputs and errors
 * below it without colours, progress that was overwritten, or images. Each span names its cell, from 1.
 * @throws ProofroomError invalid_input where it is no notebook
 */
export function readNotebook(json: string): ParsedDocument {
  const notebook = parse(json);
  const cells = notebook.cells ?? notebook.worksheets?.flatMap((sheet) => sheet.cells) ?? [];
  const { language_info: info, kernelspec, title } = notebook.metadata ?? {};
  const language = (info?.name ?? kernelspec?.language ?? "python").toLowerCase();
  const writer = new NotebookWriter();
  for (const [index, cell] of cells.entries()) writer.addCell(cell, index + 1, language);
  return writer.finish(title ?? null);
}

function parse(json: string): z.output<typeof notebookSchema> {
  try {
    return notebookSchema.parse(JSON.parse(json));
  } catch {
    throw invalid("The file is not a Jupyter notebook that can be read.", "Save it again from Jupyter.");
  }
}

class NotebookWriter {
  #text = "";
  readonly #spans: Span[] = [];
  readonly #path: HeadingPath = [];
  readonly #clipped = new Set<number>();
  readonly #pictures = new Map<number, number>();
  readonly #markupOnly = new Set<number>();

  addCell(cell: Cell, number: number, language: string): void {
    const source = cell.source ?? cell.input ?? "";
    if (cell.cell_type === "code") {
      this.#addFenced(source, magicLanguage(source) ?? language, "code", number);
      for (const output of cell.outputs ?? []) this.#addOutput(output, number);
    } else {
      const isHeading = cell.cell_type === "heading";
      this.#addMarkdown(isHeading ? `${"#".repeat(cell.level ?? 1)} ${source}` : source, number);
    }
  }

  finish(title: string | null): ParsedDocument {
    const pictures = [...this.#pictures.values()].reduce((sum, count) => sum + count, 0);
    const omissions = [
      ...(pictures === 0
        ? []
        : [`${counted(pictures, "image")} (${cellNames([...this.#pictures.keys()])}).`]),
      ...(this.#clipped.size === 0
        ? []
        : [
            `What follows the first ${maxOutput} characters of long outputs (${cellNames([...this.#clipped])}).`,
          ]),
      ...(this.#markupOnly.size === 0
        ? []
        : [`Outputs that have no form as text (${cellNames([...this.#markupOnly])}).`]),
    ];
    return { title: title ?? headingOf(this.#spans), text: this.#text, spans: this.#spans, omissions };
  }

  #addMarkdown(source: string, cell: number): void {
    const { text, dropped } = withoutPictures(source);
    this.#countPictures(cell, dropped);
    if (text.trim() === "") return;
    this.#append(`${text.trimEnd()}\n\n`, spansOfMarkdown(text, { cell }, this.#path));
  }

  #addOutput(output: Output, cell: number): void {
    const { text, pictures } = textOfOutput(output);
    this.#countPictures(cell, pictures);
    if (text === null) {
      if (pictures === 0) this.#markupOnly.add(cell);
      return;
    }
    const plain = withoutEmbeddedData(asShown(text)).text.trimEnd();
    if (plain.length > maxOutput) this.#clipped.add(cell);
    this.#addFenced(clip(plain), null, "output", cell);
  }

  #addFenced(text: string, language: string | null, kind: "code" | "output", cell: number): void {
    if (text.trim() === "") return;
    const { markdown, offset } = fenced(text.trimEnd(), kind === "output" ? "text" : language);
    const headings = this.#path.map(({ title }) => title);
    const locator: Locator = { ...(headings.length === 0 ? {} : { headings }), cell };
    const spans = spansOfLines(text.trimEnd(), { language }).map(
      ({ start, end }): Span => ({
        start: start + offset,
        end: end + offset,
        kind,
        ...(kind === "code" ? { language } : {}),
        locator,
      }),
    );
    this.#append(`${markdown}\n`, spans);
  }

  #append(markdown: string, spans: readonly Span[]): void {
    const base = this.#text.length;
    for (const span of spans) this.#spans.push({ ...span, start: span.start + base, end: span.end + base });
    this.#text += markdown;
  }

  #countPictures(cell: number, count: number): void {
    if (count > 0) this.#pictures.set(cell, (this.#pictures.get(cell) ?? 0) + count);
  }
}

/** The language that a cell magic on the first line gives its cell. */
function magicLanguage(source: string): string | null {
  const magic = /^%%(\w+)/.exec(source)?.[1];
  return magic === undefined ? null : (magicLanguages[magic] ?? null);
}

function textOfOutput(output: Output): { text: string | null; pictures: number } {
  if (output.output_type === "error" || output.output_type === "pyerr") {
    const traceback = output.traceback?.join("\n") ?? "";
    const summary = `${output.ename ?? "Error"}: ${output.evalue ?? ""}`;
    return { text: traceback.trim() === "" ? summary : traceback, pictures: 0 };
  }
  const data = output.data ?? {};
  const pictures = Object.keys({ ...output, ...data }).some((type) =>
    /^(?:image\/|png$|jpeg$|svg$)/.test(type),
  )
    ? 1
    : 0;
  const readable = [data["text/plain"], data["text/markdown"], data["text/latex"], output.text].find(
    (value) => multiline.safeParse(value).success,
  );
  // Beside a picture the text is only the name of the object that drew it.
  const text = readable === undefined ? null : multiline.parse(readable);
  return { text: pictures > 0 && /^<[^\n]*>$/.test(text?.trim() ?? "") ? null : text, pictures };
}

/** As a terminal shows it in the end: without colours, and of lines that overwrite each other the last. */
function asShown(text: string): string {
  return stripVTControlCharacters(text)
    .split("\n")
    .map((line) => {
      const shown = withoutReturns(line);
      return shown.slice(shown.lastIndexOf("\r") + 1);
    })
    .join("\n");
}

function withoutReturns(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end -= 1;
  return line.slice(0, end);
}

function clip(text: string): string {
  if (text.length <= maxOutput) return text;
  const line = text.lastIndexOf("\n", maxOutput);
  return text.slice(0, line > maxOutput / 2 ? line : maxOutput).toWellFormed();
}

function cellNames(cells: readonly number[]): string {
  const named = cells.slice(0, 20).join(", ");
  return `${cells.length === 1 ? "cell" : "cells"} ${named}${cells.length > 20 ? ", …" : ""}`;
}
