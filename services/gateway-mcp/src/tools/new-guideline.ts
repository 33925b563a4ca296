import { assertArtifactName, ProofroomError } from "@proofroom/contracts";

export interface InlineFile {
  path: string;
  text: string;
}

/** The first heading of a guideline, which names its run. */
export function titleOf(guideline: string): string {
  return /^#\s+(.+?)\s*#*\s*$/m.exec(guideline)?.[1]?.slice(0, 300) ?? "Untitled";
}

function linkOf(path: string): string {
  return `- [${path}](<${encodeURI(path).replaceAll("#", "%23").replaceAll("?", "%3F")}>)`;
}

/**
 * Writes the guideline of a run that was asked for by topic and sources alone.
 * @throws ProofroomError invalid_input without a topic or without any source
 */
export function guidelineOfTopic(
  topic: string,
  urls: readonly string[],
  files: readonly InlineFile[],
): string {
  const title = topic.replace(/\s+/g, " ").trim();
  if (title === "" || urls.length + files.length === 0) {
    throw new ProofroomError({
      code: "invalid_input",
      message: title === "" ? "The topic is empty." : "There is no source to write from.",
      remedy: "Give guideline, or topic with source_urls or source_files.",
    });
  }
  const heading = title.replace(/[\\`*_[\]<>#]/g, "\\$&");
  const sources = [...urls.map((url) => `- <${url}>`), ...files.map(({ path }) => linkOf(path))];
  return `# ${heading}\n\n## Sources\n\n${sources.join("\n")}\n`;
}

/** @throws ProofroomError invalid_input for a path that leads out of the run, or that two files have */
export function checkFiles(files: readonly InlineFile[]): void {
  for (const { path } of files) assertArtifactName(path);
  if (new Set(files.map(({ path }) => path)).size < files.length) {
    throw new ProofroomError({ code: "invalid_input", message: "Two source files have the same path." });
  }
}
