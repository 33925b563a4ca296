import { strikethrough, taskListItems } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";
import { normaliseCodeBlocks } from "./code-blocks.ts";
import { parseHtml } from "./html-document.ts";
import { normaliseTables } from "./page-markup.ts";

/** The part of a DOM element that the rules below read; the project is compiled without the browser's types. */
interface Cell {
  getAttribute(name: string): string | null;
}

/**
 * Markdown of an HTML fragment: ATX headings, fenced code with its language, GFM tables. Text is escaped only
 * where Markdown would read it otherwise, so that quotations of the page are found in the result.
 * @throws ProofroomError too_large where elements are nested too deeply
 */
export function htmlToMarkdown(html: string): string {
  const document = parseHtml(html);
  normaliseCodeBlocks(document);
  normaliseTables(document);
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
  });
  service.use([strikethrough, taskListItems]);
  service.escape = escapeText;
  // The plugin's own rules for tables take hours for long ones, and lose pipes.
  service.addRule("tableCell", { filter: ["th", "td"], replacement: tableCell });
  service.addRule("tableRow", { filter: "tr", replacement: tableRow });
  service.addRule("tablePart", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  service.addRule("table", { filter: "table", replacement: (content) => `\n\n${content}\n` });
  service.remove(["script", "style", "noscript", "iframe", "button", "title"]);
  return service
    .turndown(withoutLongBlanks(document.body.innerHTML))
    .replace(/\u00a0/g, " ")
    .replace(/[\u00ad\u200b\ufeff]/g, "")
    .split("\n")
    .map(withoutBlanksAtEnd)
    .join("\n")
    .trim();
}

/** Longer runs of blanks say nothing, and take turndown the square of their length. In characters of HTML. */
const longestBlanks = 1_000;

function withoutLongBlanks(html: string): string {
  return html.replace(/(?:\s|&nbsp;)+/g, (run) => {
    if (run.length <= longestBlanks) return run;
    return run.includes("\n") ? "\n" : " ";
  });
}

function withoutBlanksAtEnd(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t")) end -= 1;
  return line.slice(0, end);
}

function escapeText(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\")
    .replace(/`/g, "\\`")
    .replace(/<(?=[a-z/!?]|$)/gi, "\\<")
    .replace(/&(?=#?\w+;|#?$)/g, "\\&")
    .replace(/\*(?=\S)|(?<=\S)\*/g, "\\*")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/~~/g, "\\~~")
    .replace(/\](?=[([:])/g, "\\]")
    .replace(/^(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|[-=]+$)/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}

function tableCell(content: string, node: unknown): string {
  const span = Number((node as Cell).getAttribute("colspan") ?? 1);
  const text = content
    .trim()
    .replace(/\s+/g, (blanks) => (blanks.includes("\n") ? " " : blanks))
    .replace(/\\?\|/g, "\\|");
  return ` ${text} |${"  |".repeat(Math.max(0, span - 1))}`;
}

function tableRow(content: string, node: unknown): string {
  const columns = Number((node as Cell).getAttribute("data-columns") ?? 0);
  const rule = columns === 0 ? "" : `|${" --- |".repeat(columns)}\n`;
  return `|${content}\n${rule}`;
}
