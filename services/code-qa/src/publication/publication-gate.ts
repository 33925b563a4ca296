import type { CitationReport, Critique } from "@proofroom/contracts";

export interface Checks {
  /** sha256 of article.md as it stands. */
  articleSha256: string;
  critique: Critique | null;
  citations: CitationReport | null;
}

export interface GateVerdict {
  status: "approved" | "draft";
  /** Why it is a draft; empty where it is approved. */
  reasons: string[];
}

/** Reasons that a reader is told; more are counted. */
const reasonsShown = 12;

function critiqueReasons(critique: Critique): string[] {
  const blocking = critique.required_revisions.filter((revision) => revision.blocking);
  const told = blocking.slice(0, reasonsShown).map(({ instruction }) => instruction);
  if (blocking.length > reasonsShown) told.push(`${blocking.length - reasonsShown} more blocking defects.`);
  return [`The critic asks for revision (${critique.overall_score} of 100).`, ...told];
}

/**
 * Whether the checks have passed this very text. A verdict on another text counts for nothing: what was not
 * checked is a draft, and says so.
 */
export function judgePublication({ articleSha256, critique, citations }: Checks): GateVerdict {
  const reasons: string[] = [];
  if (citations === null) reasons.push("The citations have not been verified.");
  else if (citations.article_sha256 !== articleSha256)
    reasons.push("The text has changed since its citations were verified.");
  if (critique === null) reasons.push("The article has not been evaluated.");
  else if (critique.article_sha256 !== articleSha256)
    reasons.push("The text has changed since it was evaluated.");
  else if (critique.status !== "APPROVED") reasons.push(...critiqueReasons(critique));
  return { status: reasons.length === 0 ? "approved" : "draft", reasons };
}
