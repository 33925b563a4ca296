import { extname } from "node:path";
import type { Span } from "@proofroom/contracts";
import { spansOfLines, spansOfMarkdown, spansOfText } from "@proofroom/evidence";
import type { Candidate } from "./candidate.ts";

/** Texts longer than this, in characters, are cut at blank lines, which takes no syntax tree. */
const mostMarkdown = 4_000_000;

const codeLanguages: ReadonlyMap<string, string> = new Map([
  [".py", "python"],
  [".js", "javascript"],
  [".mjs", "javascript"],
  [".ts", "typescript"],
  [".tsx", "tsx"],
  [".go", "go"],
  [".rs", "rust"],
  [".java", "java"],
  [".c", "c"],
  [".cpp", "cpp"],
  [".h", "c"],
  [".sh", "bash"],
  [".sql", "sql"],
  [".json", "json"],
  [".yaml", "yaml"],
  [".yml", "yaml"],
  [".toml", "toml"],
]);

/** The spans of an imported text, located as its kind is read: files of a repository, seconds of a video. */
export function spansOf(text: string, { kind, path }: Pick<Candidate, "kind" | "path">): Span[] {
  if (kind === "repository") return spansOfDigest(text);
  const file = path.split("/").at(-1) ?? path;
  const language = kind === "document" ? codeLanguages.get(extname(file).toLowerCase()) : undefined;
  if (language !== undefined) return spansOfLines(text, { file, language });
  const spans = spansOfProse(text);
  return kind === "video" ? withSeconds(text, spans) : spans;
}

function spansOfProse(text: string): Span[] {
  return text.length > mostMarkdown ? spansOfText(text) : spansOfMarkdown(text);
}

/** A transcript's time marks, `[12:34]` or `1:02:03`, at the beginning of a line. */
const timeMark = /(?:^|\n)[\s>*_-]*[[(]?(?:(\d{1,2}):)?(\d{1,2}):(\d{2})(?=[\])\s:*_-])/g;

function withSeconds(text: string, spans: readonly Span[]): Span[] {
  const marks = [...text.matchAll(timeMark)].map(({ 0: mark, 1: hours, 2: minutes, 3: seconds, index }) => ({
    at: index + mark.length,
    seconds: Number(hours ?? 0) * 3_600 + Number(minutes) * 60 + Number(seconds),
  }));
  let next = 0;
  return spans.map((span) => {
    // The mark that opens a span ends within it.
    const opens = marks.findIndex(({ at }) => at > span.start);
    const own = marks[opens];
    const isOwn = own !== undefined && text.slice(span.start, own.at).replace(timeMark, "").trim() === "";
    next = opens === -1 ? marks.length : isOwn ? opens + 1 : opens;
    const mark = marks[next - 1];
    return mark === undefined ? span : { ...span, locator: { ...span.locator, seconds: mark.seconds } };
  });
}

/** The head of a file in a digest: its path between two rules. */
const fileHead = /^={20,}\n(?:FILE|File): (.+)\n={20,}\n/gm;

/** A repository's digest: what stands before the first file as prose, the files with their lines. */
function spansOfDigest(text: string): Span[] {
  const heads = [...text.matchAll(fileHead)];
  const spans = spansOfProse(text.slice(0, heads[0]?.index ?? text.length));
  for (const [at, head] of heads.entries()) {
    const from = head.index + head[0].length;
    const body = text.slice(from, heads[at + 1]?.index ?? text.length);
    const file = head[1]?.trim() ?? "";
    const found = /\.(?:md|markdown)$/i.test(file)
      ? spansOfMarkdown(body, { file })
      : spansOfLines(body, { file, language: codeLanguages.get(extname(file).toLowerCase()) ?? null });
    for (const span of found) spans.push({ ...span, start: span.start + from, end: span.end + from });
  }
  return spans;
}
