import type { Locator, Span } from "@proofroom/contracts";
import { fenceLanguage, LineIndex, locateMarkdown } from "@proofroom/markdown";
import type { Code, Nodes, Parents } from "mdast";
import { cutLong, type Stretch, trimStretch } from "./cut-long.ts";

/** The headings above a place, outermost first. */
export type HeadingPath = { depth: number; title: string }[];

/**
 * The spans of a Markdown text, in order and apart from each other: paragraphs, list items and quotes as prose,
 * the content of code blocks as code, tables as tables. Headings and front matter are no spans; the path of
 * headings above a span is in its locator. Offsets are exact: `text.slice(start, end)`.
 * @param base what every locator says besides; where it names a file, the lines of each span are filled in
 * @param path the headings that stand above the text where it continues another; those at its end replace them
 */
export function spansOfMarkdown(text: string, base: Partial<Locator> = {}, path: HeadingPath = []): Span[] {
  const lines = new LineIndex(text);
  const { root, rangeOf } = locateMarkdown(text);
  const spans: Span[] = [];

  const add = (stretch: Stretch, kind: Span["kind"], language?: string | null) => {
    for (const piece of cutLong(text, stretch)) {
      const trimmed = kind === "code" ? piece : trimStretch(text, piece);
      if (trimmed === null || text.slice(trimmed.start, trimmed.end).trim() === "") continue;
      const locator: Locator = { ...base };
      if (path.length > 0) locator.headings = [...(base.headings ?? []), ...path.map(({ title }) => title)];
      if (base.file !== undefined) {
        locator.line_from = lines.lineAt(trimmed.start);
        locator.line_to = lines.lineAt(trimmed.end - 1);
      }
      spans.push({ ...trimmed, kind, ...(language === undefined ? {} : { language }), locator });
    }
  };

  const visit = (node: Nodes) => {
    const stretch = rangeOf(node);
    switch (node.type) {
      case "heading":
        while ((path.at(-1)?.depth ?? 0) >= node.depth) path.pop();
        path.push({ depth: node.depth, title: textOf(node).trim() });
        return;
      case "code":
        add(insideOfFence(text, stretch, node), "code", languageOf(node));
        return;
      case "table":
        add(stretch, "table");
        return;
      case "paragraph":
        add(stretch, "prose");
        return;
      case "html":
        if (hasWords(node.value)) add(stretch, "prose");
        return;
      case "listItem":
      case "blockquote":
        if (isProseOnly(node)) add(stretch, "prose");
        else for (const child of node.children) visit(child);
        return;
      case "root":
      case "list":
      case "footnoteDefinition":
        for (const child of node.children) visit(child);
        return;
    }
  };
  visit(root);
  return spans;
}

/** What a reader sees of a heading. */
function textOf(node: Nodes): string {
  if (node.type === "html") return "";
  if ("value" in node) return node.value;
  if ("alt" in node) return node.alt ?? "";
  return "children" in node ? node.children.map(textOf).join("") : "";
}

function isProseOnly(node: Parents): boolean {
  return node.children.every(({ type }) => type === "paragraph");
}

/** What is left of HTML without tags and comments. */
function hasWords(html: string): boolean {
  return /[\p{L}\p{N}]/u.test(html.replaceAll(/<!--[\s\S]*?(?:-->|$)|<[^>]*>?/g, ""));
}

/** The language that the fence names, in its usual spelling, as the fences of an article have it. */
function languageOf({ lang, meta }: Code): string | null {
  if (lang === null || lang === undefined) return null;
  return fenceLanguage([lang, meta ?? ""].join(" ").trim(), lang);
}

/** The lines between the fences; all of an indented block, and of a fence that is never closed all after it. */
function insideOfFence(text: string, { start, end }: Stretch, node: Code): Stretch {
  const raw = text.slice(start, end);
  const fence = /^(`{3,}|~{3,})/.exec(raw)?.[1];
  if (fence === undefined) return { start, end };
  const firstBreak = /\r\n|\r|\n/.exec(raw);
  if (firstBreak === null || node.value === "") return { start: end, end };
  const lastLine = Math.max(raw.lastIndexOf("\n"), raw.lastIndexOf("\r"));
  const closing = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(raw.slice(lastLine + 1))?.[1];
  const closed = closing?.startsWith(fence) === true;
  const from = start + firstBreak.index + firstBreak[0].length;
  const to = closed ? start + lastLine : end;
  return { start: from, end: Math.max(from, text[to - 1] === "\r" && closed ? to - 1 : to) };
}
