import type { List, ListItem } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import { type HeadingInfo, headingsOf, isContentsHeading } from "./headings.ts";
import { parseMarkdown } from "./parse.ts";

/**
 * A nested Markdown list of the article's headings, each a link to its id on the rendered page. The heading of the
 * table of contents itself is left out. Empty where no heading qualifies; else ends with a line ending.
 */
export function tableOfContents(
  markdown: string,
  { minDepth = 2, maxDepth = 3 }: { minDepth?: number; maxDepth?: number } = {},
): string {
  const root = list();
  const open: { depth: number; list: List }[] = [{ depth: 0, list: root }];
  for (const heading of headingsOf(parseMarkdown(markdown))) {
    const listed = heading.top && heading.depth >= minDepth && heading.depth <= maxDepth;
    if (!listed || heading.text === "" || isContentsHeading(heading.text)) continue;
    while ((open.at(-1)?.depth ?? 0) >= heading.depth) open.pop();
    const target = listBelow(open.at(-1)?.list ?? root, open.length > 1);
    target.children.push(item(heading));
    open.push({ depth: heading.depth, list: target });
  }
  if (root.children.length === 0) return "";
  return toMarkdown(
    { type: "root", children: [root] },
    {
      bullet: "-",
      listItemIndent: "one",
      extensions: [gfmToMarkdown()],
    },
  );
}

/** The list for a heading below the last item of `parent`; `parent` itself where nothing encloses the heading. */
function listBelow(parent: List, enclosed: boolean): List {
  const last = parent.children.at(-1);
  if (!enclosed || last === undefined) return parent;
  const existing = last.children.at(-1);
  if (existing?.type === "list") return existing;
  const created = list();
  last.children.push(created);
  return created;
}

function list(): List {
  return { type: "list", ordered: false, spread: false, children: [] };
}

function item(heading: HeadingInfo): ListItem {
  const link = {
    type: "link" as const,
    url: `#${heading.slug}`,
    children: [{ type: "text" as const, value: heading.text }],
  };
  return { type: "listItem", spread: false, children: [{ type: "paragraph", children: [link] }] };
}
