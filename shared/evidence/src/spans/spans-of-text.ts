import type { Span } from "@proofroom/contracts";
import { LineIndex } from "@proofroom/markdown";
import { cutLong, trimStretch } from "./cut-long.ts";

interface Block {
  start: number;
  end: number;
  text: string;
}

/**
 * The spans of a plain text: its blocks between blank lines as prose, with their lines. Of reStructuredText the
 * underlined titles become the path of headings, and what is indented after `::` or a `code-block` is code.
 */
export function spansOfText(text: string): Span[] {
  const lines = new LineIndex(text);
  const path: { mark: string; title: string }[] = [];
  const spans: Span[] = [];
  let code: { language: string | null } | null = null;
  for (const block of blocksOf(text)) {
    const title = titleOf(block.text);
    if (title !== null) {
      const known = path.findIndex(({ mark }) => mark === title.mark);
      if (known !== -1) path.splice(known);
      path.push({ mark: title.mark, title: title.text });
    }
    const body = title === null ? { start: block.start, end: block.end } : afterTitle(block, title.length);
    const isCode: boolean = code !== null && /^[ \t]/.test(block.text);
    for (const piece of cutLong(text, body)) {
      const stretch = isCode ? piece : trimStretch(text, piece);
      if (stretch === null) continue;
      spans.push({
        ...stretch,
        kind: isCode ? "code" : "prose",
        ...(isCode ? { language: code?.language ?? null } : {}),
        locator: {
          ...(path.length === 0 ? {} : { headings: path.map((heading) => heading.title) }),
          line_from: lines.lineAt(stretch.start),
          line_to: lines.lineAt(stretch.end - 1),
        },
      });
    }
    if (!isCode) code = codeAnnouncedBy(block.text);
  }
  return spans;
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  for (const match of text.matchAll(/(?:^|(?<=\n))[^\S\n]*[^\s][^\n]*(?:\n[^\S\n]*[^\s][^\n]*)*/g)) {
    blocks.push({ start: match.index, end: match.index + match[0].length, text: match[0] });
  }
  return blocks;
}

/** A title of one line, underlined (and perhaps overlined) by one repeated mark at least as long as it is. */
function titleOf(block: string): { text: string; mark: string; length: number } | null {
  const match =
    /^(?:([=\-~^"'`#*+._:])\1{2,}\n)?[ \t]*(\S[^\n]*)\n([=\-~^"'`#*+._:])(\3{2,})[ \t]*(?:\n|$)/.exec(block);
  if (match === null) return null;
  const [all, over, title = "", under = "", rest = ""] = match;
  if (over !== undefined && over !== under) return null;
  if (rest.length + 1 < title.trim().length) return null;
  return { text: title.trim(), mark: (over ?? "") + under, length: all.length };
}

function afterTitle(block: Block, length: number): { start: number; end: number } {
  return { start: Math.min(block.start + length, block.end), end: block.end };
}

function codeAnnouncedBy(block: string): { language: string | null } | null {
  const directive = /^\.\. (?:code-block|code|sourcecode)::[ \t]*(\S*)/m.exec(block);
  if (directive !== null) return { language: directive[1]?.toLowerCase() || null };
  return /::[ \t]*$/.test(block) ? { language: null } : null;
}
