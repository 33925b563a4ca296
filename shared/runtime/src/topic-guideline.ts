/** A source of a guideline: an address, or a path by which a local file or folder goes in the run. */
export type NamedSource = { url: string } | { path: string };

function linkOf(source: NamedSource): string {
  if ("url" in source) return `- <${source.url}>`;
  const address = encodeURI(source.path).replaceAll("#", "%23").replaceAll("?", "%3F");
  return `- [${source.path}](<${address}>)`;
}

/** Writes the guideline of a run that was asked for by topic and sources alone. */
export function topicGuideline(topic: string, sources: readonly NamedSource[]): string {
  const heading = topic
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<>#]/g, "\\$&");
  return `# ${heading}\n\n## Sources\n\n${sources.map(linkOf).join("\n")}\n`;
}
