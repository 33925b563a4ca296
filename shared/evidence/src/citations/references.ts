import type { SourceIndex } from "@proofroom/contracts";
import { isReferencesHeading, locateMarkdown } from "@proofroom/markdown";
import type { List, Nodes } from "mdast";
import type { Reference } from "./number.ts";
import { walk } from "./walk.ts";

/** A reference as an article lists it; `source_id` is null where no stored source has that ref. */
export interface ListedReference {
  number: number;
  source_id: string | null;
  ref: string;
  title: string;
}

/**
 * The body of `## References`, one line each: `1. [Title](https://…)`, or ``1. Title — `path` `` for what is not
 * on the web. Titles come from the sources, so they are escaped: none can add a link, a list or a heading.
 */
export function renderReferences(references: readonly Reference[]): string {
  return references
    .map(({ number, title, ref }) => {
      const name = escapeInline(title);
      return isWebAddress(ref)
        ? `${number}. [${name}](${escapeDestination(ref)})`
        : `${number}. ${name} — ${codeSpan(ref)}`;
    })
    .join("\n");
}

/**
 * Reads the list below `## References` of an article. The number is the one that stands before the entry; the
 * ref is the address of its first link or its first piece of inline code; each address of a source will do. Entries that
 * have neither keep their text as ref, and so point to no source.
 */
export function parseReferences(article: string, index: SourceIndex): ListedReference[] {
  const idByRef = new Map([
    ...index.sources.flatMap(({ id, also_at = [] }) => also_at.map((ref) => [ref, id] as const)),
    ...index.sources.map(({ id, ref }) => [ref, id] as const),
  ]);
  const listed: ListedReference[] = [];
  const { root, rangeOf } = locateMarkdown(article);
  for (const list of referenceLists(root.children)) {
    for (const [position, item] of list.children.entries()) {
      const written = /^\d+/.exec(article.slice(rangeOf(item).start))?.[0];
      const number = written === undefined ? (list.start ?? 1) + position : Number(written);
      const { ref, title } = readEntry(item);
      if (number < 1 || ref === "" || listed.some((entry) => entry.number === number)) continue;
      listed.push({ number, source_id: idByRef.get(ref) ?? null, ref, title });
    }
  }
  return listed;
}

/** The ordered lists between the last heading `References` and the next heading of its level or above. */
function referenceLists(nodes: readonly Nodes[]): List[] {
  const from = nodes.findLastIndex((node) => node.type === "heading" && isReferencesHeading(textOf(node)));
  const heading = nodes[from];
  if (heading?.type !== "heading") return [];
  const rest = nodes.slice(from + 1);
  const end = rest.findIndex((node) => node.type === "heading" && node.depth <= heading.depth);
  return (end === -1 ? rest : rest.slice(0, end)).filter(
    (node): node is List => node.type === "list" && node.ordered === true,
  );
}

function readEntry(item: Nodes): { ref: string; title: string } {
  for (const node of walk(item)) {
    if (node.type === "link") return { ref: node.url, title: textOf(node) };
    if (node.type === "inlineCode") {
      return { ref: node.value, title: textBefore(item, node).replace(/\s*—\s*$/, "") };
    }
  }
  const text = textOf(item).trim();
  return { ref: text, title: text };
}

function textOf(node: Nodes): string {
  return textBefore(node, null);
}

function textBefore(root: Nodes, stop: Nodes | null): string {
  let text = "";
  for (const node of walk(root)) {
    if (node === stop) break;
    if (node.type === "text" || node.type === "inlineCode") text += node.value;
    if (node.type === "break") text += " ";
  }
  return text;
}

function isWebAddress(ref: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(ref);
}

/** Escapes what could start a construct of Markdown, GFM or maths anywhere within a line. */
function escapeInline(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<>&!#|~$^@]/g, "\\$&")
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}\\.`)
    .replace(/^(\d+)([.)])/, "$1\\$2")
    .replace(/^[-+=]/, "\\$&");
}

function escapeDestination(url: string): string {
  return url.replace(/[\\()<>*_`$[\]|~&]/g, "\\$&");
}

function codeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const padding = /^[` ]|[` ]$/.test(text) ? " " : "";
  return `${fence}${padding}${text}${padding}${fence}`;
}
