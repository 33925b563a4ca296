import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const adjectives = [
  "northern",
  "eastern",
  "southern",
  "western",
  "upper",
  "lower",
  "inner",
  "outer",
  "old",
  "new",
];
const places = [
  "lighthouse",
  "harbour",
  "mill",
  "bridge",
  "quarry",
  "orchard",
  "station",
  "garden",
  "tower",
  "canal",
];

function note(name: string, year: number): string {
  return [
    `# Notes on the ${name}`,
    "",
    `The ${name} log has recorded every observation with its time since ${year}. Its keeper copies each entry of the ${name} log into a second book before the end of the day.`,
    "",
    `## What the ${name} publishes`,
    "",
    `A summary of the ${name} log appears every month and names the number of entries, of corrections and of days without one. Readers of the ${name} summary can ask for the entries behind each number.`,
    "",
  ].join("\n");
}

/** Writes a guideline with so many local Markdown notes (100 at the most) as sources into a folder; answers its path. */
export async function writeNotesGuideline(folder: string, count: number): Promise<string> {
  const names = adjectives
    .flatMap((adjective) => places.map((place) => `${adjective} ${place}`))
    .slice(0, count);
  await mkdir(join(folder, "notes"), { recursive: true });
  const files = names.map((name) => `notes/${name.replace(" ", "-")}.md`);
  for (const [at, file] of files.entries())
    await writeFile(join(folder, file), note(names[at] ?? "", 1900 + at));
  const path = join(folder, "guideline.md");
  const lines = [
    "# Guideline: Keeping a log",
    "",
    "## Section: What a log records",
    "",
    "- Every observation is recorded with its time",
    "- Section length: 80 words",
    "",
    "## Sources",
    "",
    ...files.map((file) => `- \`${file}\``),
    "",
  ];
  await writeFile(path, lines.join("\n"));
  return path;
}
