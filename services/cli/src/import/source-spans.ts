import { extname } from "node:path";
import type { Span } from "@proofroom/contracts";
import { spansOfLines, spansOfMarkdown, spansOfText } from "@proofroom/evidence";
import type { Candidate } from "./candidate.ts";

/** Texts longer than this, in characters, are cut at blank lines, which takes no syntax tree. */
const mostMarkdown = 2_000_000;

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
const timeMark = /(?<=^|\n)[ \t>*_-]*[[(]?(?:(\d{1,2}):)?(\d{1,2}):(\d{2})(?=[\])\s:*_-])/g;

function secondsOf([, hours, minutes, seconds]: RegExpMatchArray): number {
  return Number(hours ?? 0) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

/** Each span gets the time of the mark that it opens with, else of the last one before it. */
function withSeconds(text: string, spans: readonly Span[]): Span[] {
  const marks = [...text.matchAll(timeMark)];
  let passed = 0;
  return spans.map((span) => {
    while ((marks[passed]?.index ?? Number.POSITIVE_INFINITY) < span.start) passed += 1;
    const [own] = text.slice(span.start, span.start + 20).matchAll(timeMark);
    const mark = own?.index === 0 ? own : marks[passed - 1];
    return mark === undefined ? span : { ...span, locator: { ...span.locator, seconds: secondsOf(mark) } };
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
