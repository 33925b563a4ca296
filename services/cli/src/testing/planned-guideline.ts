import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const notes = {
  lighthouse: `# Notes on the lighthouse

A lighthouse log records every observation together with the time at which it was made. The keeper of the lighthouse log copies each entry into a second book before the end of the day. Entries of the lighthouse log that were corrected keep their first wording beside the correction. A keeper who is ill names another keeper in the lighthouse log before the watch begins. The lighthouse log is closed at noon, when the next keeper signs below the last observation.
`,
  tide: `# Notes on the tide

The tide office publishes a summary of the log every month. A summary of the tide log names the number of entries, the number of corrections and the days without an entry. Readers of the tide summary can ask for the entries behind every number. The office adds the counts of a week to get the number in the tide summary.

\`\`\`python
entries = [4, 3, 5]
total = sum(entries)
print(total)
\`\`\`

The tide summary is printed on one page and sent to every harbour of the coast.
`,
};

const code = /```[\s\S]*?```\n\n/;

/**
 * Writes a guideline without an outline, so that a model plans it, with two local sources; answers its path.
 * @param more further sources by their addresses; and whether the local ones hold no code
 */
export async function writePlannedGuideline(
  folder: string,
  more: { addresses?: readonly string[]; withoutCode?: boolean } = {},
): Promise<string> {
  await mkdir(join(folder, "notes"), { recursive: true });
  for (const [name, text] of Object.entries(notes)) {
    const written = more.withoutCode === true ? text.replace(code, "") : text;
    await writeFile(join(folder, "notes", `${name}.md`), written);
  }
  const path = join(folder, "guideline.md");
  const sources = [
    ...Object.keys(notes).map((name) => `- \`notes/${name}.md\``),
    ...(more.addresses ?? []).map((address) => `- <${address}>`),
  ];
  await writeFile(path, ["# Guideline: Keeping a log", "", "## Sources", "", ...sources, ""].join("\n"));
  return path;
}
