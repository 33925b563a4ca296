import type { Gatherer } from "./candidate.ts";

export interface ResearchEntry {
  gatherer: Gatherer;
  summary: string;
  body: string;
}

/** The sections of research.md and the capability whose sources each holds. */
const sections: ReadonlyMap<string, Gatherer> = new Map([
  ["Research Results", "run_web_research"],
  ["Sources Scraped From Research Results", "scrape_research_urls"],
  ["Code Sources", "process_github_urls"],
  ["YouTube Video Transcripts", "transcribe_youtube_urls"],
  ["Additional Sources Scraped", "scrape_and_clean_other_urls"],
  ["Local Files", "process_local_files"],
]);

const opened = /^<details>(?:\s*<summary>(.*)<\/summary>)?$/;

/**
 * The folded entries of research.md by section. The bodies are foreign Markdown with folds and headings of their
 * own, so an entry ends only at a `</details>` that closes its depth, or beyond it, and that is followed by the next
 * entry, by a section of the file, or by its end.
 */
export function researchEntries(text: string): ResearchEntry[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const entries: ResearchEntry[] = [];
  let gatherer: Gatherer | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const section = sectionAt(lines, at);
    if (section !== undefined) gatherer = section;
    const entry = gatherer === undefined ? null : entryAt(lines, at);
    if (entry === null || gatherer === undefined) continue;
    const end = endOf(lines, entry.from);
    entries.push({ gatherer, summary: entry.summary, body: lines.slice(entry.from, end).join("\n").trim() });
    at = end;
  }
  return entries;
}

function sectionAt(lines: readonly string[], at: number): Gatherer | undefined {
  const [, title] = /^## (.+)$/.exec(lines[at] ?? "") ?? [];
  const gatherer = title === undefined ? undefined : sections.get(title);
  if (gatherer === undefined) return undefined;
  const next = nextLine(lines, at + 1);
  const follows = lines[next];
  const isSection = follows === undefined || opened.test(follows) || /^_[^_]+_$|^## /.test(follows);
  return isSection ? gatherer : undefined;
}

/** An entry opens with its summary on the same line or on the next. */
function entryAt(lines: readonly string[], at: number): { summary: string; from: number } | null {
  const match = opened.exec(lines[at] ?? "");
  if (match === null) return null;
  if (match[1] !== undefined) return { summary: match[1], from: at + 1 };
  const [, summary] = /^<summary>(.*)$/.exec(lines[at + 1] ?? "") ?? [];
  if (summary === undefined) return null;
  return { summary: summary.replace(/<\/summary>$/, ""), from: at + 2 };
}

function endOf(lines: readonly string[], from: number): number {
  let depth = 1;
  let last = lines.length;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (/^\s*<details\b/i.test(line)) depth += 1;
    const closing = line.match(/<\/details>/gi)?.length ?? 0;
    if (closing === 0) continue;
    depth = Math.max(0, depth - closing);
    if (line !== "</details>") continue;
    last = at;
    const next = nextLine(lines, at + 1);
    if (next >= lines.length || sectionAt(lines, next) !== undefined) return at;
    if (depth === 0 && entryAt(lines, next) !== null) return at;
  }
  return last;
}

function nextLine(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && lines[at]?.trim() === "") at += 1;
  return at;
}
