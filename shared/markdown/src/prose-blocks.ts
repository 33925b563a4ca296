import type { Nodes, Parents, PhrasingContent } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { withoutMarkers } from "./citation-markers.ts";
import { parseMarkdown } from "./parse.ts";

export interface ProseBlock {
  kind: "paragraph" | "list_item" | "quote" | "table_row" | "heading";
  /** What a reader sees, on one line. Cells of a table row are joined by ` | `. */
  text: string;
  /** 1-based line on which the block begins. */
  line: number;
  /** Text of the nearest heading of depth 1 or 2 above; empty before the first. */
  section: string;
}

const calloutMarker = /^\s*\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/i;

/**
 * The prose of an article, block by block: emphasis removed, code spans and links as their text, images, HTML and
 * code blocks left out. Citation markers (`[1]`, `[S4]`) are kept, also where they are links.
 */
export function proseBlocks(markdown: string): ProseBlock[] {
  const blocks: ProseBlock[] = [];
  let section = "";

  const add = (kind: ProseBlock["kind"], text: string, node: Nodes) => {
    const plain = text.replace(/\s+/g, " ").trim();
    if (plain !== "") blocks.push({ kind, text: plain, line: node.position?.start.line ?? 1, section });
  };

  const walk = (node: Nodes, kind: "paragraph" | "list_item" | "quote") => {
    switch (node.type) {
      case "heading": {
        const text = phrasing(node.children);
        if (node.depth <= 2) section = text.replace(/\s+/g, " ").trim();
        add("heading", text, node);
        return;
      }
      case "paragraph": {
        const text = phrasing(node.children);
        add(kind, kind === "quote" ? text.replace(calloutMarker, "") : text, node);
        return;
      }
      case "tableRow":
        add("table_row", node.children.map((cell) => phrasing(cell.children).trim()).join(" | "), node);
        return;
      case "listItem":
        for (const child of node.children) walk(child, "list_item");
        return;
      case "blockquote":
        for (const child of node.children) walk(child, "quote");
        return;
      default:
        if ("children" in node) for (const child of (node as Parents).children) walk(child, kind);
    }
  };
  walk(parseMarkdown(markdown), "paragraph");
  return blocks;
}

/** Words of the article's prose, headings included; code blocks, HTML and citation markers do not count. */
export function wordCount(markdown: string): number {
  return proseBlocks(markdown).reduce((words, block) => words + countWords(block.text), 0);
}

function countWords(text: string): number {
  const tokens = withoutMarkers(text).split(/\s+/);
  return tokens.filter((token) => /[\p{L}\p{N}]/u.test(token)).length;
}

function phrasing(nodes: readonly PhrasingContent[]): string {
  return nodes.map(phrase).join("");
}

function phrase(node: PhrasingContent): string {
  switch (node.type) {
    case "text":
    case "inlineCode":
      return node.value;
    case "break":
      return " ";
    case "link":
      return marker(phrasing(node.children));
    case "linkReference": {
      // `[1][3]` is two markers, yet a reference link where `[3]: …` is defined.
      const label = node.referenceType === "full" ? marker(node.label ?? "") : "";
      const text = marker(phrasing(node.children));
      return isMarker(label) && isMarker(text) ? text + label : text;
    }
    case "image":
    case "imageReference":
    case "html":
    case "footnoteReference":
      return "";
    default:
      return "children" in node ? phrasing(node.children) : textOf(node);
  }
}

/** A link whose whole label is a number is a citation; the brackets were taken by the link syntax. */
function marker(label: string): string {
  return /^S?\d{1,3}$/.test(label) ? `[${label}]` : label;
}

function isMarker(text: string): boolean {
  return /^\[S?\d{1,3}\]$/.test(text);
}
