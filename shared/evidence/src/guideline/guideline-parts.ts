import type { List, ListItem, Paragraph, PhrasingContent, RootContent } from "mdast";
import { toString as textOfNodes } from "mdast-util-to-string";

/** A heading with everything below it up to the next heading of its own or a higher level. */
export interface GuidelinePart {
  readonly depth: number;
  readonly heading: string;
  readonly body: readonly RootContent[];
}

/** One entry of a list, with its sub-entries. */
export interface ListEntry {
  readonly text: string;
  /** Bold text at the start, if the entry starts so. */
  readonly lead: string | null;
  readonly children: readonly ListEntry[];
}

/** All parts of a guideline in document order; a sub-part is also in the body of its parent. */
export function partsOf(nodes: readonly RootContent[]): GuidelinePart[] {
  return nodes.flatMap((node, index) => {
    if (node.type !== "heading") return [];
    let end = index + 1;
    for (let other = nodes[end]; other !== undefined; other = nodes[end]) {
      if (other.type === "heading" && other.depth <= node.depth) break;
      end += 1;
    }
    return [{ depth: node.depth, heading: plainText(node), body: nodes.slice(index + 1, end) }];
  });
}

/** The visible text of a node on one line, without Markdown, HTML and images. */
function plainText(node: RootContent | PhrasingContent): string {
  return textOfNodes(node, { includeHtml: false, includeImageAlt: false }).replace(/\s+/g, " ").trim();
}

export function paragraphsOf(body: readonly RootContent[]): string[] {
  return body
    .flatMap((node) => (node.type === "paragraph" ? [plainText(node)] : []))
    .filter((text) => text !== "");
}

/** The entries of all lists in a part. */
export function entriesOf(body: readonly RootContent[]): ListEntry[] {
  return body.flatMap((node) => (node.type === "list" ? node.children.map(entryOf) : []));
}

function entryOf(item: ListItem): ListEntry {
  const paragraph = item.children.find((child): child is Paragraph => child.type === "paragraph");
  const first = paragraph?.children[0];
  return {
    text: paragraph === undefined || isOnlyLink(paragraph) ? "" : plainText(paragraph),
    lead: first?.type === "strong" ? plainText(first) : null,
    children: item.children
      .filter((child): child is List => child.type === "list")
      .flatMap((list) => list.children.map(entryOf)),
  };
}

/** A link alone names a source; it is no statement about the content. */
function isOnlyLink(paragraph: Paragraph): boolean {
  const [only, ...others] = paragraph.children;
  return others.length === 0 && (only?.type === "link" || only?.type === "linkReference");
}
