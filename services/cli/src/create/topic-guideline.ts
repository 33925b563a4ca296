import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { ProofroomError } from "@proofroom/contracts";
import { type NamedSource, topicGuideline } from "@proofroom/runtime/records";
import type { LocalSource } from "./copy-uploads.ts";

export interface TopicGuideline {
  text: string;
  uploads: LocalSource[];
}

function isUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(source);
}

/** The name by which a local source goes in the run: its own, numbered where another has it already. */
function nameOf(path: string, taken: ReadonlySet<string>): string {
  const own = basename(path) || "source";
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? own : own.replace(/^(.*?)(\.[^.]*)?$/, `$1-${n}$2`);
    if (!taken.has(name)) return name;
  }
}

/**
 * Writes the guideline of a run that was asked for by topic and sources alone.
 * @throws ProofroomError not_found where a local source does not exist, invalid_input without any source
 */
export async function guidelineOfTopic(
  topic: string,
  sources: readonly string[],
  resolvePath: (path: string) => string,
): Promise<TopicGuideline> {
  if (topic.trim() === "") {
    throw new ProofroomError({
      code: "invalid_input",
      message: "The topic is empty.",
      remedy: 'Say what the article is about: --topic "Retrying safely".',
    });
  }
  if (sources.length === 0) {
    throw new ProofroomError({
      code: "invalid_input",
      message: "There is no source to write from.",
      remedy: "Name at least one with --source: a file, a folder or a URL.",
    });
  }
  const named: NamedSource[] = [];
  const uploads: LocalSource[] = [];
  const taken = new Set<string>();
  for (const source of sources) {
    if (isUrl(source)) {
      named.push({ url: source });
      continue;
    }
    const disk = resolvePath(source);
    const facts = await stat(disk).catch(() => null);
    if (facts === null) {
      throw new ProofroomError({
        code: "not_found",
        message: `The source ${source} does not exist.`,
        remedy: "Paths are relative to the folder you stand in.",
      });
    }
    const name = nameOf(disk, taken);
    taken.add(name);
    const path = facts.isDirectory() ? `${name}/` : name;
    uploads.push({ path, disk, within: null });
    named.push({ path });
  }
  return { text: topicGuideline(topic, named), uploads };
}
