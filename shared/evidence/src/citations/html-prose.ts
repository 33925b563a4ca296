import { locateMarkdown, type ProseBlock } from "@proofroom/markdown";
import type { Blockquote, FootnoteDefinition, Html, List, ListItem, Root, RootContent } from "mdast";

/** What a page shows nothing of. */
const unseen = /<!--[\s\S]*?(?:-->|$)|<(script|style|template)\b[\s\S]*?(?:<\/\1\s*>|$)|<[^>]*>?/gi;

/**
 * The prose of an article together with what stands in blocks of HTML, in order. Readers see the text between the
 * tags like any other.
 */
export function htmlProse(article: string, prose: readonly ProseBlock[]): ProseBlock[] {
  const html = htmlBlocks(locateMarkdown(article).root).flatMap(({ value, position }): ProseBlock[] => {
    const text = value.replace(unseen, " ").replace(/\s+/g, " ").trim();
    const line = position?.start.line ?? 1;
    const section = prose.findLast((block) => block.line <= line)?.section ?? "";
    return text === "" ? [] : [{ kind: "paragraph", text, line, section }];
  });
  return [...prose, ...html].sort((a, b) => a.line - b.line);
}

/** HTML that stands for itself; within a paragraph the text between tags is the paragraph's own. */
function htmlBlocks(container: Root | List | ListItem | Blockquote | FootnoteDefinition): Html[] {
  return (container.children as RootContent[]).flatMap((node) => {
    if (node.type === "html") return [node];
    return node.type === "list" ||
      node.type === "listItem" ||
      node.type === "blockquote" ||
      node.type === "footnoteDefinition"
      ? htmlBlocks(node)
      : [];
  });
}
