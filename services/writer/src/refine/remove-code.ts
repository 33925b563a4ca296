import { extractFences } from "@proofroom/markdown";

/**
 * Takes code blocks out of an article, each with the line that introduces it (`From …:`). Blocks are named as the
 * sandbox names them, `snippet_3` being the third of the article. What is not there, or not fenced, stays.
 */
export function removeCode(
  markdown: string,
  snippetIds: ReadonlySet<string>,
): { markdown: string; removed: Set<string> } {
  const removed = new Set<string>();
  const lines = markdown.split("\n");
  const dropped = new Set<number>();
  for (const fence of extractFences(markdown)) {
    const id = `snippet_${fence.index}`;
    if (!snippetIds.has(id) || fence.indented || fence.unclosed || fence.nested_in !== undefined) continue;
    removed.add(id);
    for (let line = fence.start_line; line <= fence.end_line; line++) dropped.add(line - 1);
    let above = fence.start_line - 2;
    while (above >= 0 && lines[above]?.trim() === "") above -= 1;
    if (/^From .*:$/.test(lines[above] ?? "")) {
      for (let line = above; line < fence.start_line - 1; line++) dropped.add(line);
    }
    // One blank line remains between what stood before and behind.
    if (lines[fence.end_line]?.trim() === "") dropped.add(fence.end_line);
  }
  if (removed.size === 0) return { markdown, removed };
  return { markdown: lines.filter((_line, at) => !dropped.has(at)).join("\n"), removed };
}
