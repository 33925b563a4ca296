import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const topics = ["lighthouse", "harbour", "tide"] as const;

function note(topic: string): string {
  return [
    `# Notes on the ${topic}`,
    "",
    `A ${topic} log records every observation together with the time at which it was made. The keeper of the ${topic} log copies each entry into a second book before the end of the day. Entries of the ${topic} log that were corrected keep their first wording beside the correction.`,
    "",
    `The ${topic} office publishes a summary of the log every month. A summary of the ${topic} log names the number of entries, the number of corrections and the days without an entry. Readers of the ${topic} summary can ask for the entries behind every number.`,
    "",
  ].join("\n");
}

/** Writes a small guideline with three local sources into a folder; answers its path. */
export async function writeSmallGuideline(folder: string): Promise<string> {
  await mkdir(join(folder, "notes"), { recursive: true });
  for (const topic of topics) await writeFile(join(folder, "notes", `${topic}.md`), note(topic));
  const sections = topics.map(
    (topic) =>
      `## Section: The ${topic} log\n\n- Every observation is recorded in the ${topic} log\n- Section length: 60 words\n`,
  );
  const sources = topics.map((topic) => `- \`notes/${topic}.md\``);
  const path = join(folder, "guideline.md");
  await writeFile(
    path,
    ["# Guideline: Keeping a log", "", ...sections, "## Sources", "", ...sources, ""].join("\n"),
  );
  return path;
}
