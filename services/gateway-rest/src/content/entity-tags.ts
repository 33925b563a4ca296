/** Whether a list of entity tags (If-Match, If-None-Match) names the tag or is `*`. */
export function namesTag(header: string, tag: string, comparison: "strong" | "weak"): boolean {
  const tags = header.split(",").map((part) => part.trim());
  if (tags.includes("*")) return true;
  return tags.some((part) => part === tag || (comparison === "weak" && part === `W/${tag}`));
}
