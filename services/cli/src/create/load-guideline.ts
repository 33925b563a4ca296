import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ProofroomError } from "@proofroom/contracts";
import { decodeGuideline, parseGuidelineBrief, parseGuidelineReferences } from "@proofroom/evidence";
import type { LocalSource } from "./copy-uploads.ts";

export interface LoadedGuideline {
  text: string;
  title: string;
  uploads: LocalSource[];
}

/**
 * A guideline larger than this is not one: bytes, and lines. The time that reading Markdown takes grows with the square
 * of its lists and runs of backticks.
 */
const mostBytes = 512 * 1024;
const mostLines = 12_000;

/**
 * Reads a guideline from a file, with the local sources that it names.
 * @throws ProofroomError not_found, too_large, invalid_input (empty, not text, or not to be read)
 */
export async function loadGuideline(path: string): Promise<LoadedGuideline> {
  const facts = await stat(path).catch(() => null);
  if (facts === null) {
    throw new ProofroomError({
      code: "not_found",
      message: `There is no guideline at ${path}.`,
      remedy: "Name a Markdown file that is there; paths are relative to the folder you stand in.",
    });
  }
  if (!facts.isFile()) {
    throw new ProofroomError({
      code: "invalid_input",
      message: `${path} is not a file.`,
      remedy: "Name the guideline itself, a Markdown file.",
    });
  }
  if (facts.size > mostBytes) throw tooLarge(`The guideline is larger than ${mostBytes / 1024} KB.`);
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new ProofroomError({
      code: "invalid_input",
      message: `${path} cannot be read.`,
      remedy: "Let it be read by whoever runs this.",
      cause,
    });
  });
  const text = decodeGuideline(bytes);
  if (text.split("\n", mostLines + 1).length > mostLines)
    throw tooLarge(`The guideline has more than ${mostLines} lines.`);
  if (text.trim() === "") {
    throw new ProofroomError({
      code: "invalid_input",
      message: "The guideline is empty.",
      remedy: "Write at least a title and a list of sources.",
    });
  }
  const within = dirname(path);
  const uploads = parseGuidelineReferences(text).local_file_paths.map((reference) => ({
    path: reference,
    disk: join(within, reference),
    within,
  }));
  return { text, title: parseGuidelineBrief(text).title ?? "Untitled", uploads };
}

function tooLarge(message: string): ProofroomError {
  return new ProofroomError({
    code: "too_large",
    message,
    remedy: "A guideline names its sources; it does not hold them: a folder is one source.",
  });
}
