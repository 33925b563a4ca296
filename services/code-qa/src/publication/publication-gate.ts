import type { CitationReport, Critique } from "@proofroom/contracts";

export interface Checks {
  /** Sources that were asked for and could not be had. */
  failures: number;
  /** sha256 of article.md as it stands. */
  articleSha256: string;
  critique: Critique | null;
  citations: CitationReport | null;
}

export interface GateVerdict {
  status: "approved" | "draft";
  /** Why it is a draft; where it is approved, what a reader should know all the same. */
  reasons: string[];
}

/** Reasons that a reader is told; more are counted. */
const reasonsShown = 12;
const notesShown = 5;
/** Characters of a sentence that is told. */
const sentenceShown = 120;

function critiqueReasons(critique: Critique): string[] {
  const blocking = critique.required_revisions.filter((revision) => revision.blocking);
  const told = blocking.slice(0, reasonsShown).map(({ instruction }) => instruction);
  if (blocking.length > reasonsShown) told.push(`${blocking.length - reasonsShown} more blocking defects.`);
  if (blocking.length > 0) return told;
  return [
    `The critic gives ${critique.overall_score} of 100, which is below what approval asks for.`,
    ...critique.required_revisions.slice(0, reasonsShown).map(({ instruction }) => instruction),
  ];
}

function plural(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

function shorten(sentence: string): string {
  return sentence.length > sentenceShown ? `${sentence.slice(0, sentenceShown - 1)}…` : sentence;
}

/** What the checks have let pass, and a reader would want to know. */
function notes({ failures, critique, citations }: Checks): string[] {
  const told: string[] = [];
  if (failures > 0)
    told.push(`${plural(failures, "source", "sources")} could not be had; research.md names them.`);
  const uncertain = citations?.citations.filter(({ verdict }) => verdict === "uncertain") ?? [];
  for (const { line, sentence, reasons } of uncertain.slice(0, notesShown))
    told.push(`Line ${line} is not verified: “${shorten(sentence)}” ${reasons.join(" ")}`);
  if (uncertain.length > notesShown)
    told.push(`${uncertain.length} citations are uncertain in all; the page marks each.`);
  const uncited = citations?.summary.uncited ?? 0;
  if (uncited > 0) told.push(`${plural(uncited, "sentence cites", "sentences cite")} nothing.`);
  const open = critique?.required_revisions ?? [];
  told.push(...open.slice(0, notesShown).map(({ instruction }) => instruction));
  return told;
}

/**
 * Whether the checks have passed this very text. A verdict on another text counts for nothing: what was not
 * checked is a draft, and says so.
 */
export function judgePublication(checks: Checks): GateVerdict {
  const { articleSha256, critique, citations } = checks;
  const reasons: string[] = [];
  if (citations === null) reasons.push("The citations have not been verified.");
  else if (citations.article_sha256 !== articleSha256)
    reasons.push("The text has changed since its citations were verified.");
  if (critique === null) reasons.push("The article has not been evaluated.");
  else if (critique.article_sha256 !== articleSha256)
    reasons.push("The text has changed since it was evaluated.");
  else if (critique.status !== "APPROVED") reasons.push(...critiqueReasons(critique));
  return reasons.length === 0 ? { status: "approved", reasons: notes(checks) } : { status: "draft", reasons };
}
