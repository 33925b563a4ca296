import type { Outline, Snippet, SnippetResult, Source } from "@proofroom/contracts";
import { extractFences, tableOfContents } from "@proofroom/markdown";
import { sha256 } from "./memory-context.ts";

const queueFacts = [
  "The broker keeps every job in memory and writes an append-only file once per second.",
  "A job that fails is retried three times with a delay that doubles each time.",
  "Workers take a lock on a job and renew it while they are busy.",
  "A stalled job returns to the waiting list when its lock expires.",
];
const cacheFacts = [
  "The cache holds 512 entries and evicts the one that was used least recently.",
  "Readers never block writers because each value is replaced as a whole.",
  "Expired entries are removed when they are read or by a sweep every minute.",
];
const logFacts = [
  "Every record carries the identifier of the request that caused it.",
  "Records above the level of warning are kept for thirty days.",
  "A collector gathers the records of all processes over a local socket.",
];
const code = 'print("served")';

const facts = { queues: queueFacts, caches: cacheFacts, logs: logFacts };
const titles = { queues: "How queues keep jobs", caches: "What caches evict", logs: "Where logs go" };
type SectionId = keyof typeof facts;
const ids = Object.keys(facts) as SectionId[];

export const sources = new Map<string, Source>(
  ids.map((id, at): [string, Source] => {
    const text = facts[id].join(" ");
    return [
      `S${at + 1}`,
      {
        v: 1,
        kind: "document",
        ref: `notes/${id}.md`,
        title: `Notes on ${id}`,
        text,
        sha256: sha256(text),
        spans: [{ start: 0, end: text.length, kind: "prose", locator: {} }],
        provenance: {
          method: "file",
          content_sha256: sha256(text),
          bytes: 1,
          media_type: "text/plain",
          omissions: [],
        },
      },
    ];
  }),
);

export const outline: Outline = {
  title: "Plumbing",
  subtitle: "",
  target_audience: "engineers",
  estimated_read_time_minutes: 3,
  sections: ids.map((id) => ({
    section_id: id,
    title: titles[id],
    key_points: [
      {
        queues: "jobs retried with a delay",
        caches: "evict least recently used",
        logs: "identifier of the request",
      }[id],
    ],
    target_word_count: 50,
    include_code: id === "logs",
    citations_to_reference: [],
  })),
};

export type Defect =
  | "failing_code"
  | "invalid_code"
  | "unsupported"
  | "unknown_number"
  | "missing_section"
  | "over_budget"
  | "under_budget"
  | "repeated"
  | "truncated"
  | "uncited"
  | "contents"
  | "no_contents"
  | "unused_reference"
  | "key_point";

const padding =
  "Numbering follows nature as gravel follows rivers, and painters agree that meadows brighten when shepherds whistle. " +
  "Harbours fill before dawn while bakers argue about flour, ovens, salt, yeast, towels, ladders and the price of lamps. " +
  "Should anyone listen to gardeners who praise tulips, hedges, clover, moss, ferns, gravel paths and patient snails?";

/** An article without a fault, then with each of the faults asked for. */
export function articleWith(defects: ReadonlySet<Defect>): string {
  const section = (id: SectionId, at: number) => {
    if (id === "queues" && defects.has("missing_section")) return "";
    let sentences = facts[id].map((fact) => `${fact} [${at + 1}]`);
    if (id === "caches" && defects.has("key_point")) sentences = sentences.slice(1);
    if (id === "caches" && defects.has("under_budget")) sentences = sentences.slice(0, 1);
    if (id === "caches" && defects.has("unsupported"))
      sentences.push("The cache holds 999 entries on every node. [2]");
    if (id === "caches" && defects.has("unknown_number"))
      sentences.push("Each value is replaced as a whole. [9]");
    if (id === "caches" && defects.has("uncited"))
      sentences.push("Painters rarely agree on the price of lamps.");
    if (id === "logs" && defects.has("over_budget")) sentences.push(`${padding} [3]`);
    if (id === "logs" && defects.has("repeated")) sentences.push(`${logFacts[0]} [3]`);
    if (id === "logs")
      sentences.push(`\n\nThis call serves:\n\n\`\`\`python\n${code}\n\`\`\`\n\nThat is all there is to it.`);
    if (id === "logs" && defects.has("truncated")) sentences.push("The next step is to open the");
    return `## ${titles[id]}\n\n${sentences.join(" ")}\n\n`;
  };
  const body = ids.map(section).join("");
  const references = ids.map((id, at) => `${at + 1}. Notes on ${id} — \`notes/${id}.md\`\n`).join("");
  const extra = defects.has("unused_reference") ? "4. Notes — `notes/none.md`\n" : "";
  const whole = `# Plumbing\n\n${body}## References\n\n${references}${extra}`;
  const contents = defects.has("contents")
    ? "- [Elsewhere](#elsewhere)\n"
    : tableOfContents(whole, { maxDepth: 2 });
  const top = defects.has("no_contents") ? "" : `## Table of Contents\n\n${contents}\n`;
  return whole.replace("# Plumbing\n\n", `# Plumbing\n\n${top}`);
}

export function snippetsOf(article: string, invalid: boolean): Snippet[] {
  return extractFences(article).map((fence) => ({
    snippet_id: `snippet_${fence.index}`,
    language: fence.language,
    code: fence.code,
    line_estimate: 1,
    is_valid_syntax: !invalid,
    syntax_error: invalid ? "invalid syntax" : null,
    target_filename: `snippet_${fence.index}.py`,
    index: fence.index,
    info: fence.info,
    start_line: fence.start_line,
    syntax: invalid ? "invalid" : "valid",
    error_line: invalid ? 1 : null,
    sha256: sha256(fence.code),
    flags: [],
  }));
}

export function resultOf(snippet: Snippet, outcome: Pick<SnippetResult, "run" | "reason">): SnippetResult {
  return {
    snippet_id: snippet.snippet_id,
    filename: snippet.target_filename,
    exit_code: 0,
    stdout: "",
    stderr: "",
    duration_ms: 1,
    success: outcome.run === "passed",
    index: snippet.index,
    error: null,
    truncated: false,
    sha256: snippet.sha256,
    ...outcome,
  };
}
