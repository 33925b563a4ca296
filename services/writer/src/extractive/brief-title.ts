import type { GuidelineBrief } from "@proofroom/evidence";

/** A title from a guideline: its own, else the subject of the first sentence on its topic; null where neither is. */
export function titleOfBrief(brief: GuidelineBrief): string | null {
  if (brief.title !== null) return brief.title;
  const first = brief.topic.trim().split("\n")[0] ?? "";
  const subject =
    /^((?:[^\s.,:;()]+\s+){0,6}[^\s.,:;()]+)\s*(?:\(|,?\s(?:is|are|lets|allows|enables|provides|means)\b)/.exec(
      first,
    )?.[1];
  if (
    subject !== undefined &&
    !/^(?:this|that|it|we|you|i|the (?:article|lesson|goal|aim|post))\b/i.test(subject)
  ) {
    return capitalised(subject);
  }
  return first !== "" && first.length <= 90 ? capitalised(first.replace(/[.!:]+$/, "")) : null;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
